/**
 * Runs work of a library that leaves promises behind which nobody can wait for: pdf.js does in damaged files, beside
 * the error that it reports. Node would end the process for the first of them.
 */
export async function ignoringStrayRejections<T>(work: () => Promise<T>): Promise<T> {
  const others = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", ignore);
  try {
    return await work();
  } finally {
    // Node tells of them when the microtasks of a turn are done.
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", ignore);
    for (const listener of others) process.on("unhandledRejection", listener);
  }
}

function ignore(): void {
  // What matters of it was thrown to the reader as well.
}
