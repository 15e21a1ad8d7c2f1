/** The largest page an index gives (`index.max_result_window`), with Elasticsearch's words. */
import { EngineError, type EngineFace, type SearchTarget } from "../../engine/index.js";

export type Page = "window" | "scroll batch";

/** Throws `result_window` when the page reaches beyond what one of the indices allows. */
export function checkWindow(
  engine: EngineFace,
  targets: readonly SearchTarget[],
  asked: { from: number; size: number; page: Page },
): void {
  const wanted = asked.from + asked.size;
  for (const { index } of targets) {
    const limit = engine.index(index)?.definition.maxResultWindow ?? Number.POSITIVE_INFINITY;
    if (wanted > limit)
      throw new EngineError(
        "result_window",
        asked.page === "scroll batch" ? batchText(limit, wanted) : windowText(limit, wanted),
        { limit, wanted },
      );
  }
}

function windowText(limit: number, wanted: number): string {
  return `Result window is too large, from + size must be less than or equal to: [${limit}] but was [${wanted}]. See the scroll api for a more efficient way to request large data sets. This limit can be set by changing the [index.max_result_window] index level setting.`;
}

function batchText(limit: number, wanted: number): string {
  return `Batch size is too large, size must be less than or equal to: [${limit}] but was [${wanted}]. Scroll batch sizes cost as much memory as result windows so they are controlled by the [index.max_result_window] index level setting.`;
}
