/** What a handler sees of a request. */
import type { Identity } from "../identities.js";
import type { Node } from "../node.js";
import type { RequestTask } from "../tasks/request-task.js";
import type { Parameters } from "./parameters.js";

export interface ApiRequest {
  readonly node: Node;
  readonly identity: Identity;
  readonly method: string;
  /** Path as it came, without the query string. */
  readonly path: string;
  /** Decoded values of the row's `{placeholders}`. */
  readonly captured: Readonly<Record<string, string>>;
  readonly parameters: Parameters;
  /** Body as JSON, decompressed and translated from the form it came in. */
  readonly bytes: Buffer;
  /** `Accept` header, empty when absent. */
  readonly accept: string;
  /** Address and port the client reached us at (`Host`). */
  readonly host: string;
  /** Warns whoever asked of something that will not be there for ever; shown in a `Warning` header. */
  readonly deprecated: (text: string) => void;
  /** The request as a task of the node: whether somebody still waits for it, and what it holds. */
  readonly task: RequestTask;
}
