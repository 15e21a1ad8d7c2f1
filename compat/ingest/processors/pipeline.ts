/** `pipeline`: runs another pipeline. */
import { illegalArgument } from "../../errors.js";
import type { Options } from "../options.js";
import type { Run } from "../processor.js";
import { runPipeline } from "../run.js";

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function pipeline(options: Options): Run {
  const name = options.template("name");
  const ignoreMissing = options.boolean("ignore_missing_pipeline", false);
  return (document, run) => {
    const id = name.render(document);
    const found = run.pipeline(id);
    if (found !== undefined) {
      const outcome = runPipeline(found, document, run);
      return outcome === "go on" ? undefined : outcome;
    }
    if (!ignoreMissing) throw illegalArgument(`Pipeline processor configured for non-existent pipeline [${id}]`);
    return undefined;
  };
}
