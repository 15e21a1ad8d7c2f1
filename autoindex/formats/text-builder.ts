import type { Declaration } from "../extract/model.js";
import { qualify } from "../extract/names.js";
import { BoundReached, LIMITS } from "./limits.js";

/** A run of the text that is code in a language, in UTF-16 indices. */
export interface TextRange {
  start: number;
  end: number;
}

/** Text made from a file that is no text itself. All places are UTF-16 indices of `text`. */
export interface MadeText {
  text: string;
  sections: Declaration[];
  /** What was left out and why, for the person who asks. */
  notes: string[];
}

interface OpenSection {
  level: number;
  name: string;
  qualifiedName: string;
  start: number;
}

const MAX_NAME = 200;

/**
 * Collects the text and the sections of a document as a reader comes upon them. Its content is whole at any moment, so
 * a reader that fails half way leaves what it had read.
 */
export class TextBuilder {
  readonly notes: string[] = [];
  readonly #pieces: string[] = [];
  readonly #sections: Declaration[] = [];
  /** The section being written, and those that it lies in. */
  readonly #path: OpenSection[] = [];
  #current: OpenSection | undefined;
  #length = 0;
  #last = "\n";

  constructor(private readonly maxLength: number = LIMITS.textLength) {}

  /** UTF-16 units so far. */
  get length(): number {
    return this.#length;
  }

  /** Whether there is nothing to read so far. */
  get isEmpty(): boolean {
    return !this.#pieces.some((piece) => /\S/.test(piece));
  }

  get isAtLineStart(): boolean {
    return this.#last === "\n";
  }

  /** Adds text as it is. Throws BoundReached past the bound, after as much as fits. */
  add(text: string): void {
    if (text === "") return;
    const room = this.maxLength - this.#length;
    const piece = text.length > room ? text.slice(0, Math.max(0, room)) : text;
    if (piece !== "") {
      this.#pieces.push(piece);
      this.#length += piece.length;
      this.#last = piece.at(-1)!;
    }
    if (piece.length < text.length) throw new BoundReached(`its text is longer than ${this.maxLength} characters`);
  }

  /** Begins a new line unless one has just begun. */
  endLine(): void {
    if (this.#last !== "\n") this.add("\n");
  }

  /** A whole line. */
  line(text: string): void {
    this.endLine();
    this.add(`${text}\n`);
  }

  /** Begins a section, which ends where the next one begins; `level` 1 is the outermost. */
  section(level: number, name: string): void {
    this.endLine();
    this.#close();
    if (this.#sections.length >= LIMITS.sections) throw new BoundReached(`more than ${LIMITS.sections} sections`);
    const plain = name.trim().replace(/\s+/g, " ").slice(0, MAX_NAME) || "(untitled)";
    while (this.#path.length > 0 && this.#path.at(-1)!.level >= level) this.#path.pop();
    const qualifiedName = qualify(...this.#path.map((open) => open.name), plain);
    this.#current = { level, name: plain, qualifiedName, start: this.#length };
    this.#path.push(this.#current);
  }

  /** Says that something was left out. */
  note(text: string): void {
    this.notes.push(text);
  }

  /** All there is; may be asked for after a failure too. */
  finish(): MadeText {
    this.#close();
    const text = this.#pieces.join("");
    for (const section of this.#sections) section.end = section.start + trimmedLength(text, section);
    return { text, sections: this.#sections.filter(({ start, end }) => end > start), notes: this.notes };
  }

  #close(): void {
    if (!this.#current) return;
    const { name, qualifiedName, start } = this.#current;
    this.#sections.push({
      kind: "section",
      name,
      qualifiedName,
      signature: name,
      docstring: "",
      start,
      end: this.#length,
    });
    this.#current = undefined;
  }
}

function trimmedLength(text: string, { start, end }: TextRange): number {
  return text.slice(start, end).trimEnd().length;
}
