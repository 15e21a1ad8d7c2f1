/**
 * For tests: milliseconds of processor time that work took. A bound on what a text may cost holds of these on a busy
 * machine as on an idle one; the clock would say how busy the machine is.
 */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
