/** A member's bytes, or why there are none: `encrypted`, `damaged`, ... */
export type MemberContent = { kind: "bytes"; bytes: Buffer } | { kind: "left out"; reason: string };
