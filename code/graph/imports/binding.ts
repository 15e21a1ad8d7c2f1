/** A name that a file takes out of another one. */
export interface ImportBinding {
  /** The module, path or package as the language names it, relative ones with their dots; empty for the file itself. */
  module: string;
  /** What is taken: a declared name; empty for the module itself; `*` for all that it has. */
  name: string;
  /** The name it has in this file. */
  alias: string;
  /** Whether this file hands it on under that name. */
  isExported: boolean;
  /** Rust: the module inside the file that it counts for, `tests` or `a.tests`; absent for the file's own. */
  within?: string;
}
