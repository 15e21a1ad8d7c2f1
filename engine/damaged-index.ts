/** An index that can't be used: bytes of it are not what was written, or the system could not read them. */
import type { Damage } from "./engine-types.js";
import { EngineError } from "./errors.js";
import type { DefinitionStore } from "./shard/index.js";
import { UnusableIndex } from "./unusable-index.js";

export class DamagedIndex extends UnusableIndex {
  constructor(
    definitions: DefinitionStore,
    readonly damage: Damage,
  ) {
    super(definitions);
  }

  refusal(): EngineError {
    const { file, offset, message } = this.damage;
    if (this.damage.kind === "unreadable") {
      const words = `index [${this.name}] could not be opened: ${message}; it is tried again at the next use`;
      return new EngineError("io", words, { index: this.name, file });
    }
    const words = `index [${this.name}] is damaged and can't be used: ${message}; stop the node, and see what pinakes verify and pinakes repair say`;
    return new EngineError("index_damaged", words, { index: this.name, file, offset });
  }
}

/** What an error that was thrown while an index was opened or read says of its damage. */
export function damageOf(error: EngineError, foundAtMs: number): Damage {
  const { file, offset } = error.details;
  const kind = error.code === "io" ? "unreadable" : "damaged";
  const where = String(file ?? error.details.path ?? "");
  return { kind, file: where, offset: Number(offset ?? 0), message: error.message, foundAtMs };
}
