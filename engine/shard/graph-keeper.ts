import type { Field } from "../mapping/field-table.js";
import { attachGraphs, dropGraphs, GRAPH_ROWS } from "../segment/graphs.js";
import type { OpenSegment } from "../segment/reader.js";
import type { GraphHost } from "../vectors/graph-host.js";
import type { SegmentHolder } from "./segment-set.js";

/** What the keeper works with; `release` lets go of a segment that was acquired. */
export interface GraphKeeperParts {
  readonly host: GraphHost;
  readonly folder: string;
  readonly fields: () => readonly Field[];
  readonly release: (holder: SegmentHolder) => void;
  readonly warn: (message: string) => void;
}

/**
 * Sees to the vector graphs of an index's segments: loads or builds them in the background once a segment is shown, and
 * has them forgotten when it is closed. Searches do without until then.
 */
export class GraphKeeper {
  readonly #known = new WeakSet<SegmentHolder>();

  constructor(private readonly parts: GraphKeeperParts) {}

  /** These segments are shown now. */
  shown(holders: readonly SegmentHolder[]): void {
    const fields = this.parts.fields();
    if (!fields.some((field) => field.type === "dense_vector")) return;
    for (const holder of holders) {
      if (this.#known.has(holder) || holder.segment.docCount < GRAPH_ROWS) continue;
      this.#known.add(holder);
      this.#attach(holder, fields);
    }
  }

  /** This segment is closed. */
  closed(segment: OpenSegment): void {
    const fields = this.parts.fields().filter((field) => field.type === "dense_vector");
    if (fields.length === 0 || segment.docCount < GRAPH_ROWS) return;
    // The host may be closed already: then there is nothing to forget.
    dropGraphs(this.parts.host, segment, fields).catch(() => {});
  }

  #attach(holder: SegmentHolder, fields: readonly Field[]): void {
    const { host, folder, release, warn } = this.parts;
    holder.acquire();
    attachGraphs(host, holder.segment, fields, { folder, minimumRows: GRAPH_ROWS, signal: holder.gone })
      .catch((error: unknown) => {
        if (!holder.retired)
          warn(`segment ${holder.segment.name} is searched without its vector graph: ${String(error)}`);
      })
      .finally(() => release(holder));
  }
}
