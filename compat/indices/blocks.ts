/**
 * Blocks of an index: settings that forbid a kind of access until they are taken back (`index.blocks.*`). Numbers, words and
 * levels as Elasticsearch's IndexMetadata defines them.
 */
import type { Index } from "../../engine/index.js";
import { ApiError } from "../errors.js";

/** What a request wants of an index. */
export type Access = "read" | "write" | "metadata_read" | "metadata_write";

export interface Block {
  /** As in `index.blocks.<name>`. */
  readonly name: string;
  readonly id: number;
  readonly description: string;
  readonly status: 403 | 429;
  readonly levels: readonly Access[];
}

/** Sorted by id. */
export const BLOCKS: readonly Block[] = [
  {
    name: "read_only",
    id: 5,
    description: "index read-only (api)",
    status: 403,
    levels: ["write", "metadata_write"],
  },
  { name: "read", id: 7, description: "index read (api)", status: 403, levels: ["read"] },
  { name: "write", id: 8, description: "index write (api)", status: 403, levels: ["write"] },
  {
    name: "metadata",
    id: 9,
    description: "index metadata (api)",
    status: 403,
    levels: ["metadata_read", "metadata_write"],
  },
  {
    name: "read_only_allow_delete",
    id: 12,
    description: "disk usage exceeded flood-stage watermark, index has read-only-allow-delete block",
    status: 429,
    levels: ["write", "metadata_write"],
  },
];

/** The one block that lets an index be deleted, to make room. */
const ALLOWS_DELETE = 12;

/** Blocks that are set on an index. */
export function blocksOf({ definition: { settings } }: Pick<Index, "definition">): Block[] {
  return BLOCKS.filter(({ name }) => settings[`blocks.${name}`] === "true");
}

/** The indices, if none of them has a block against this. Throws ApiError 403 or 429 `cluster_block_exception`. */
export function unblocked<I extends Pick<Index, "name" | "definition">>(indices: readonly I[], access: Access): I[] {
  refuse(indices, ({ levels }) => levels.includes(access));
  return [...indices];
}

/** The same for deleting them. */
export function deletable<I extends Pick<Index, "name" | "definition">>(indices: readonly I[]): I[] {
  refuse(indices, ({ id, levels }) => levels.includes("metadata_write") && id !== ALLOWS_DELETE);
  return [...indices];
}

function refuse(indices: readonly Pick<Index, "name" | "definition">[], forbids: (block: Block) => boolean): void {
  const found = indices.map((index) => ({ name: index.name, blocks: blocksOf(index).filter(forbids) }));
  const blocked = found.filter(({ blocks }) => blocks.length > 0);
  if (blocked.length > 0) throw blockedBy(blocked);
}

function blockedBy(indices: readonly { readonly name: string; readonly blocks: readonly Block[] }[]): ApiError {
  const reason = indices
    .map(({ name, blocks }) => `index [${name}] blocked by: [${blocks.map(printBlock).join(", ")}];`)
    .join("");
  const forbidden = indices.some(({ blocks }) => blocks.some(({ status }) => status === 403));
  return new ApiError(forbidden ? 403 : 429, "cluster_block_exception", reason);
}

function printBlock({ status, id, description }: Block): string {
  return `${status === 403 ? "FORBIDDEN" : "TOO_MANY_REQUESTS"}/${id}/${description}`;
}
