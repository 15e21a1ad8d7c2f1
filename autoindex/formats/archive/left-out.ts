/** Names of members given with a reason. */
const NAMED = 3;
const MAX_NAME = 80;

/** Counts what is left out of an archive by its reason, and says it in words: `2 members left out: encrypted (a, b)`. */
export class LeftOut {
  readonly #names = new Map<string, string[]>();
  readonly #sayings: string[] = [];

  /** One member. */
  add(reason: string, name: string): void {
    const names = this.#names.get(reason) ?? [];
    names.push(printable(name));
    this.#names.set(reason, names);
  }

  /** Something about the archive as a whole. */
  say(text: string): void {
    this.#sayings.push(text);
  }

  /** All of it, a text a reason. */
  notes(): string[] {
    const counted = [...this.#names].map(([reason, names]) => {
      const shown = names.slice(0, NAMED).join(", ");
      const more = names.length > NAMED ? ", ..." : "";
      return `${names.length} ${names.length === 1 ? "member" : "members"} left out: ${reason} (${shown}${more})`;
    });
    return [...this.#sayings, ...counted];
  }
}

/** Names come from the archive and go to a terminal. */
function printable(name: string): string {
  return name.replace(/[\p{Cc}\p{Cf}]/gu, "?").slice(0, MAX_NAME);
}
