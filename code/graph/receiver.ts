/** What stands before a name where it is used: nothing, the object or type itself, a name, or something else. */
export type Receiver =
  | { kind: "none" }
  | { kind: "self" }
  /** `a` of `a.f()`, `a.b` of `a.b.f()`, `A::B` as `A.B`. */
  | { kind: "name"; name: string }
  /** The module that `require`, or an awaited `import`, loads right before the dot. */
  | { kind: "module"; module: string }
  | { kind: "other" };

const SELF = /^(?:this|self|Self|cls|\$this)$/;
const ACCESS = /(?:\?\.|!\.|\.|->|::)\s*$/;
const NAMES = /(?<![\w$.)\]>?!'"`])([\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|->)[\p{L}_$][\p{L}\p{N}_$]*)*)$/u;
const LOADED = /(?<![\w$.])(?:require|await\s+import)\s*\(\s*(["'`])([^"'`\n]+)\1\s*\)\s*\)?$/;

/** Reads what stands before the column (in UTF-16 units) of a line. `own`: a further name of the object itself (Go). */
export function receiverOf(line: string, column: number, own?: string): Receiver {
  const before = line.slice(0, column);
  const access = ACCESS.exec(before);
  if (!access) {
    // A chain that goes on from the line before.
    return /^\s*(?:\?\.|\.|->|::)/.test(line.slice(0, column + 1)) ? { kind: "other" } : { kind: "none" };
  }
  const names = NAMES.exec(before.slice(0, access.index))?.[1];
  if (names === undefined) {
    const module = LOADED.exec(before.slice(0, access.index))?.[2];
    return module === undefined ? { kind: "other" } : { kind: "module", module };
  }
  const name = names.replace(/::|->/g, ".");
  if (SELF.test(name) || (own !== undefined && name === own)) return { kind: "self" };
  return { kind: "name", name };
}

/** What stands for a module that is loaded where it is used, as if it were imported under this name. */
export function moduleAlias(module: string): string {
  return `"${module}"`;
}

/** The name that a Go method gives its receiver: `s` of `func (s *Server) Start()`. */
export function goReceiver(signature: string): string | undefined {
  return /^func\s*\(\s*(\w+)\s+\*?[\w.]/.exec(signature)?.[1];
}
