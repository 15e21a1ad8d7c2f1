/** What stands before a name where it is used: nothing, the object or type itself, a name, or something else. */
export type Receiver =
  | { kind: "none" }
  | { kind: "self" }
  /** `a` of `a.f()`, `a.b` of `a.b.f()`, `A::B` as `A.B`. */
  | { kind: "name"; name: string }
  | { kind: "other" };

const SELF = /^(?:this|self|Self|cls|\$this)$/;
const ACCESS = /(?:\?\.|!\.|\.|->|::)\s*$/;
const NAMES = /(?<![\w$.)\]>?!'"`])([\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|->)[\p{L}_$][\p{L}\p{N}_$]*)*)$/u;

/** Reads what stands before the column (in UTF-16 units) of a line. `own`: a further name of the object itself (Go). */
export function receiverOf(line: string, column: number, own?: string): Receiver {
  const before = line.slice(0, column);
  const access = ACCESS.exec(before);
  if (!access) {
    // A chain that goes on from the line before.
    return /^\s*(?:\?\.|\.|->|::)/.test(line.slice(0, column + 1)) ? { kind: "other" } : { kind: "none" };
  }
  const names = NAMES.exec(before.slice(0, access.index))?.[1];
  if (names === undefined) return { kind: "other" };
  const name = names.replace(/::|->/g, ".");
  if (SELF.test(name) || (own !== undefined && name === own)) return { kind: "self" };
  return { kind: "name", name };
}

/** The name that a Go method gives its receiver: `s` of `func (s *Server) Start()`. */
export function goReceiver(signature: string): string | undefined {
  return /^func\s*\(\s*(\w+)\s+\*?[\w.]/.exec(signature)?.[1];
}
