/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
export function untilAskedToStop(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const asked = (signal: NodeJS.Signals) => {
      process.once("SIGINT", () => process.exit(130));
      process.once("SIGTERM", () => process.exit(143));
      resolve(signal);
    };
    process.once("SIGINT", asked);
    process.once("SIGTERM", asked);
  });
}
