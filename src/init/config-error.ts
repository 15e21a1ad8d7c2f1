/** A configuration file that is not changed, because that could break it: malformed, or of a shape not known here. */
export class ConfigError extends Error {
  constructor(
    readonly file: string,
    reason: string,
  ) {
    super(`${file}: ${reason}; nothing was written`);
    this.name = "ConfigError";
  }
}
