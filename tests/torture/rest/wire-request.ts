/** A request as it goes over the wire, and how it is shown so that it can be sent again. */

/** Path and query as they stand in the request line. */
export interface WireRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

/** Bytes of a body that a finding shows; the journal has all of them. */
const SHOWN = 600;

/** The command that sends it again; a long body is cut. */
export function asCommand({ method, path, headers, body }: WireRequest): string {
  const parts = [`curl -X ${method} 'NODE${quoted(path)}'`];
  for (const [name, value] of Object.entries(headers)) parts.push(`-H '${name}: ${quoted(value)}'`);
  if (body === undefined) return parts.join(" ");
  const cut = body.length > SHOWN ? ` (cut: ${body.length} bytes in all)` : "";
  return `${parts.join(" ")} --data-binary '${quoted(body.toString("utf8", 0, SHOWN))}'${cut}`;
}

function quoted(text: string): string {
  return text.replaceAll("'", "'\\''");
}
