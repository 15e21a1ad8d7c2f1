/** `rename`: a field under another name. */
import { illegalArgument } from "../../errors.js";
import type { Options } from "../options.js";
import type { Run } from "../processor.js";

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function rename(options: Options): Run {
  const field = options.path("field");
  const target = options.path("target_field");
  const ignoreMissing = options.boolean("ignore_missing", false);
  const override = options.boolean("override", false);
  return (document) => {
    const from = field(document);
    if (!document.has(from)) {
      if (ignoreMissing) return;
      throw illegalArgument(`field [${from.text}] doesn't exist`);
    }
    const to = target(document);
    if (!override && document.has(to)) throw illegalArgument(`field [${to.text}] already exists`);
    const value = document.get(from);
    document.remove(from);
    try {
      document.set(to, value);
    } catch (error) {
      document.set(from, value);
      throw error;
    }
  };
}
