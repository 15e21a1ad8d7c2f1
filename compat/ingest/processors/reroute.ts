/** `reroute`: sends a document to another data stream or index, whose pipelines it goes through from there on. */
import { illegalArgument } from "../../errors.js";
import type { Json } from "../../json/value.js";
import { type IngestDocument, setField } from "../document/ingest-document.js";
import { parsePath } from "../document/path.js";
import { compileTemplate, type Template } from "../document/template.js";
import { textOf } from "../document/values.js";
import type { Options } from "../options.js";
import type { Run } from "../processor.js";

const MAX_CHARACTERS = 100;
/** What a part of a data stream's name may not have in it. */
const BAD_IN_DATASET = /[\\/*?"<>| ,#:-]/g;
const BAD_IN_NAMESPACE = /[\\/*?"<>| ,#:]/g;

/** The parts of `<type>-<dataset>-<namespace>`. */
interface StreamName {
  readonly type: string;
  readonly dataset: string;
  readonly namespace: string;
}

/** The processor of these options. Throws ApiError 400 for those that cannot be. */
export function reroute(options: Options): Run {
  const destination = options.optionalString("destination");
  const dataset = readParts(options, "dataset", BAD_IN_DATASET);
  const namespace = readParts(options, "namespace", BAD_IN_NAMESPACE);
  if (destination !== undefined) {
    if (dataset !== undefined || namespace !== undefined) {
      throw options.error("destination", "can only be set if dataset and namespace are not set");
    }
    return (document) => {
      setField(document, "_index", destination);
      return "reroute";
    };
  }
  const datasets = dataset ?? [compileTemplate("{{data_stream.dataset}}")];
  const namespaces = namespace ?? [compileTemplate("{{data_stream.namespace}}")];
  return (document) => {
    const current = streamName(textOf(document.metadata._index ?? null));
    send(document, {
      type: current.type,
      dataset: firstOf(datasets, document, BAD_IN_DATASET) ?? current.dataset,
      namespace: firstOf(namespaces, document, BAD_IN_NAMESPACE) ?? current.namespace,
    });
    return "reroute";
  };
}

function readParts(options: Options, name: string, bad: RegExp): Template[] | undefined {
  const given: Json | undefined = options.optional(name);
  if (given === undefined) return undefined;
  return (Array.isArray(given) ? given : [given]).map((one) => {
    if (typeof one !== "string") throw options.error(name, "property isn't a string or a list of strings");
    const template = compileTemplate(one);
    if (template.constant !== undefined && cleaned(one, bad) !== one) {
      throw options.error(name, `'${one}' contains disallowed characters, or capitals, or more than ${MAX_CHARACTERS}`);
    }
    return template;
  });
}

function streamName(index: string): StreamName {
  const match = /^([^-]+)-([^-]+)-(.+)$/.exec(index);
  if (match !== null) return { type: match[1], dataset: match[2], namespace: match[3] };
  throw illegalArgument(`invalid data stream name: [${index}]; must follow naming scheme <type>-<dataset>-<namespace>`);
}

/** The first that comes to a text that is not empty. */
function firstOf(templates: readonly Template[], document: IngestDocument, bad: RegExp): string | undefined {
  return templates.map((template) => cleaned(template.render(document), bad)).find((text) => text !== "");
}

function cleaned(text: string, bad: RegExp): string {
  return text.toLowerCase().slice(0, MAX_CHARACTERS).replace(bad, "_");
}

function send(document: IngestDocument, { type, dataset, namespace }: StreamName): void {
  setField(document, "_index", `${type}-${dataset}-${namespace}`);
  setField(document, "data_stream.type", type);
  setField(document, "data_stream.dataset", dataset);
  setField(document, "data_stream.namespace", namespace);
  if (document.has(parsePath("event.dataset"))) setField(document, "event.dataset", dataset);
}
