import { countTokens } from "../../code/index.js";
import { FRAME_TOKENS } from "../../mcp/index.js";
import type { Question } from "./questions.js";

/** One call of a tool as an agent's context has it. */
export interface Exchange {
  call: string;
  answer: string;
}

/** What an agent has read so far for one question. */
export class Transcript {
  readonly exchanges: Exchange[] = [];

  constructor(readonly question: Question) {}

  /** Notes a call and its answer; true when the question can be answered now, and the agent stops. */
  add(call: string, answer: string): boolean {
    this.exchanges.push({ call, answer });
    return this.isAnswered;
  }

  /** Whether the file and every piece of evidence have been read, white space apart. */
  get isAnswered(): boolean {
    const read = plain(this.exchanges.map(({ answer }) => answer).join("\n"));
    return [this.question.path, ...this.question.evidence].every((text) => read.includes(plain(text)));
  }

  /** Calls and answers, each in the protocol's frame. */
  get tokens(): number {
    return this.exchanges.reduce((sum, { call, answer }) => sum + countTokens(call + answer) + FRAME_TOKENS, 0);
  }
}

/** Numbers at the beginning of lines and all white space are layout. */
export function plain(text: string): string {
  return text.replace(/^\d+: /gm, "").replace(/\s+/g, "");
}
