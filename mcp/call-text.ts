const CONTROL = /[\u007f-\u009f\u2028\u2029]/g;

/** A call of a tool as it can be made: `read({"path":"src/a.ts"})`. On one line, whatever the arguments hold. */
export function callText(tool: string, args: Readonly<Record<string, unknown>>): string {
  // JSON itself escapes the other control characters.
  const json = JSON.stringify(args).replace(CONTROL, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `${tool}(${json})`;
}
