/** `fail`: fails, with a message. */
import { ApiError } from "../../errors.js";
import type { Options } from "../options.js";
import type { Run } from "../processor.js";

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function fail(options: Options): Run {
  const message = options.template("message");
  return (document) => {
    throw new ApiError(500, "fail_processor_exception", message.render(document));
  };
}
