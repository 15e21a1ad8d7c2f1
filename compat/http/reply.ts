/** What a handler answers. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body:
    | { readonly kind: "json"; readonly value: unknown }
    /** Text or bytes that are JSON already. */
    | { readonly kind: "rendered"; readonly json: string | Buffer }
    | { readonly kind: "text"; readonly text: string };
}

export function json(value: unknown, status = 200, headers?: Readonly<Record<string, string>>): Reply {
  return { status, headers, body: { kind: "json", value } };
}

/** JSON that the handler has printed itself. */
export function rendered(text: string | Buffer, status = 200, headers?: Readonly<Record<string, string>>): Reply {
  return { status, headers, body: { kind: "rendered", json: text } };
}

export function text(content: string, status = 200): Reply {
  return { status, body: { kind: "text", text: content } };
}

export const ACKNOWLEDGED: Reply = json({ acknowledged: true });
