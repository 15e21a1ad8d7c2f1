import type { BulkFailure, Client } from "../../client/index.js";
import type { BulkPart } from "../documents/lines.js";
import type { BodyMemory } from "./body-memory.js";

/** Bytes of one bulk request; a single document may be larger. */
export const MAX_BULK_BYTES = 8 * 1024 * 1024;
/** Bytes that one group of operations may have beyond, so that a little too much is not sent alone. */
export const MAX_GROUP_BYTES = 1.25 * MAX_BULK_BYTES;

const GONE: ReadonlySet<string> = new Set(["not_found", "document_missing_exception"]);

/** An operation that the node refused, with whoever added it. */
export interface Refused<Owner> {
  owner: Owner | undefined;
  failure: BulkFailure;
}

/** Operations in order, with their owners; sent in one request if they fit, else in several, one after the other. */
export class BulkRequest<Owner> {
  readonly #parts: { owner: Owner | undefined; part: BulkPart }[] = [];

  add(owner: Owner | undefined, parts: readonly BulkPart[]): void {
    for (const part of parts) this.#parts.push({ owner, part });
  }

  /**
   * Sends all; answers what was refused. Deleting or changing what is already gone is no refusal. `memory`: where bodies
   * are put together, for those who send many.
   */
  async send(client: Client, query: string, memory?: BodyMemory): Promise<Refused<Owner>[]> {
    const refused: Refused<Owner>[] = [];
    for (const group of this.#groups()) {
      const pieces = group.map(({ part }) => part.bytes);
      const send = (body: Buffer) => client.bulk(body, query);
      const outcome = await (memory?.withJoined(pieces, send) ?? send(Buffer.concat(pieces)));
      for (const failure of outcome.failures) {
        if (!GONE.has(failure.type)) refused.push({ owner: ownerOf(group, failure.position), failure });
      }
    }
    return refused;
  }

  #groups(): { owner: Owner | undefined; part: BulkPart }[][] {
    const groups: { owner: Owner | undefined; part: BulkPart }[][] = [];
    let bytes = Number.POSITIVE_INFINITY;
    for (const piece of this.#parts) {
      bytes += piece.part.bytes.length;
      if (bytes > MAX_GROUP_BYTES) {
        groups.push([]);
        bytes = piece.part.bytes.length;
      }
      groups.at(-1)!.push(piece);
    }
    return groups;
  }
}

function ownerOf<Owner>(group: { owner: Owner | undefined; part: BulkPart }[], position: number): Owner | undefined {
  let first = 0;
  for (const { owner, part } of group) {
    first += part.operations;
    if (position < first) return owner;
  }
  return undefined;
}
