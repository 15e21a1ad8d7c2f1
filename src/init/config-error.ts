/** A configuration file that is not changed, because that could break it: malformed, or of a shape not known here. */
export class ConfigError extends Error {
  constructor(
    readonly file: string,
    readonly reason: string,
  ) {
    super(`${file}: ${reason}; nothing was written`);
    this.name = "ConfigError";
  }
}

/** Several of them at once, one a line: whoever mends one should not meet the next one at the next run. */
export class ConfigErrors extends Error {
  constructor(readonly errors: readonly ConfigError[]) {
    const lines = errors.map(({ file, reason }) => `  ${file}: ${reason}`);
    super(`${errors.length} files cannot be changed; nothing was written\n${lines.join("\n")}`);
    this.name = "ConfigErrors";
  }
}
