import { EngineError } from "../errors.js";
import type { FieldMapping } from "../mapping/mapping.js";
import { isFractionType, isWholeType } from "../mapping/numbers.js";
import { duplicateKey, KeySet, skipValue } from "./json-skip.js";
import { StringFlags, stringText } from "./json-strings.js";
import {
  checkDepth,
  checkEnd,
  type JsonWalk,
  malformed,
  nextElement,
  nextKey,
  openArray,
  openObject,
  placeOf,
  readColon,
  readLiteral,
  readNumber,
  readString,
  skipSpace,
  valueStart,
} from "./json-walk.js";
import { readCompletionEntry, writeCompletion } from "./prepare-completion.js";
import { type Additions, addScalar, discoverString, discoverValue, splitKey } from "./prepare-dynamic.js";
import {
  documentError,
  fieldError,
  javaPreview,
  metadataError,
  notAnObject,
  notAVector,
  objectFault,
  strictError,
  timestampError,
} from "./prepare-errors.js";
import { type RecordOutput, writeTermBytes, writeVector } from "./prepare-output.js";
import { addKey, type FieldNode, findKey, isKeyAt, type KeyEntry, type ObjectNode, type Plan } from "./prepare-plan.js";
import { takesObjects, writeStructured } from "./prepare-special.js";
import { addText, type TextCollector } from "./prepare-text.js";
import { previewText, type ScalarValue, ValueKind, valueText, writeValue } from "./prepare-values.js";
import { checkVector, readVector } from "./prepare-vector.js";

/** What walking one document needs; one for the life of a preparer. */
export interface DocumentState {
  readonly walk: JsonWalk;
  readonly output: RecordOutput;
  readonly texts: TextCollector;
  readonly value: ScalarValue;
  readonly vector: number[];
  plan: Plan;
  additions: Additions;
  /** Where the next string without its escapes goes. */
  spare: number;
  /** Counts objects, so that a key seen twice in one shows. */
  objects: number;
  /** Objects of nested fields in the current document. */
  nested: number;
  /** Paths of the fields of which a value of the current document is left out. */
  readonly ignored: string[];
  /** Values of the timestamp field in the current document. */
  timestamps: number;
  id: string;
}

/** Names that stand beside a document, not in it. */
const METADATA = new Set(
  "_id _index _source _routing _field_names _ignored _seq_no _primary_term _version _doc_count _tier _nested_path _data_stream_timestamp".split(
    " ",
  ),
);

/**
 * Walks the document the state's walk stands at: writes records of all values but texts, which it collects, and notes
 * fields that the mapping lacks in `additions`. Throws document_malformed, strict_mapping.
 */
export function walkDocument(state: DocumentState): void {
  const { walk } = state;
  // Setting a length costs as much as a field: it is rarely needed.
  if (state.ignored.length > 0) state.ignored.length = 0;
  state.timestamps = 0;
  if (skipSpace(walk) !== 0x7b) throw malformed(walk, "A document must be an object, starting with '{'");
  state.nested = 0;
  walkObject(state, state.plan.root, 1);
  checkEnd(walk);
  const { timestamp } = state.plan;
  if (timestamp !== null && state.timestamps !== 1) throw timestampError(state, timestamp, state.timestamps);
  for (const { ordinal, bytes } of state.plan.constants) writeTermBytes(state.output, ordinal, bytes);
  if (state.ignored.length > 0) writeIgnored(state);
}

function writeIgnored({ ignored, plan, additions, output }: DocumentState): void {
  if (plan.ignored < 0) {
    additions.ignored = true;
    additions.count++;
    return;
  }
  for (const path of ignored) writeTermBytes(output, plan.ignored, Buffer.from(path, "utf8"));
}

/** Notes that a value of a field is left out of the index. */
function ignoreValue({ ignored }: DocumentState, node: FieldNode): void {
  if (!ignored.includes(node.field.path)) ignored.push(node.field.path);
}

function walkObject(state: DocumentState, node: ObjectNode, depth: number): void {
  const { walk } = state;
  const { bytes } = walk;
  checkDepth(walk, depth);
  const serial = ++state.objects;
  let unknown: KeySet | undefined;
  let previous: KeyEntry | undefined;
  let expected = node.first;
  for (let more = openObject(walk); more; more = nextKey(walk)) {
    let entry: KeyEntry | undefined;
    if (expected !== undefined && isKeyAt(expected, bytes, walk.at + 1)) {
      entry = expected;
      walk.stringStart = walk.at + 1;
      walk.at += entry.key.length + 1;
      if (walk.at > walk.end) throw malformed(walk, "Unexpected end of the document in a field name", walk.end);
    } else {
      readString(walk);
      entry = lookUp(state, node);
      if (entry?.plain === true) {
        if (previous === undefined) node.first = entry;
        else previous.next = entry;
      }
    }
    if (entry === undefined) {
      unknown ??= new KeySet();
      unknown.add(walk);
      walkUnknown(state, node, depth, serial);
      continue;
    }
    if (entry.seen === serial) throw duplicateKey(walk, entry.key.subarray(0, -1).toString());
    entry.seen = serial;
    previous = entry;
    expected = entry.next;
    readColon(walk);
    if (entry.node.kind === "field") walkField(state, entry.node, depth);
    else walkObjectValue(state, entry.node, depth);
  }
}

/** The entry of the key just read, also of a dotted one that leads to a field; undefined: the mapping has none. */
function lookUp(state: DocumentState, node: ObjectNode): KeyEntry | undefined {
  const { walk } = state;
  const { bytes, stringStart, stringEnd } = walk;
  if ((walk.stringFlags & StringFlags.escapes) !== 0) {
    const length = state.texts.kernels.unescapeText(stringStart, stringEnd, state.spare);
    return findKey(node, bytes, state.spare, state.spare + length);
  }
  return findKey(node, bytes, stringStart, stringEnd);
}

function walkObjectValue(state: DocumentState, node: ObjectNode, depth: number): void {
  const { walk } = state;
  if (!node.enabled) {
    skipValue(walk, depth);
    return;
  }
  const first = valueStart(walk);
  if (first === 0x7b) {
    if (node.nested) countNested(state);
    walkObject(state, node, depth + 1);
  } else if (first === 0x5b) {
    checkDepth(walk, depth + 1);
    for (let more = openArray(walk); more; more = nextElement(walk)) walkObjectValue(state, node, depth + 1);
  } else if (first === 0x6e) readLiteral(walk);
  else {
    const message = `object mapping for [${node.path}] tried to parse field [${node.path.split(".").pop()}] as object, but found a concrete value`;
    throw documentError(state, message, walk.at, { field: node.path });
  }
}

function countNested(state: DocumentState): void {
  const limit = state.additions.limits.nestedObjects;
  if (++state.nested <= limit) return;
  const message = `The number of nested documents has exceeded the allowed limit of [${limit}]. This limit can be set by changing the [index.mapping.nested_objects.limit] index level setting.`;
  throw documentError(state, message, state.walk.at, {});
}

function walkField(state: DocumentState, node: FieldNode, depth: number): void {
  const { walk, value } = state;
  const first = valueStart(walk);
  const at = walk.at;
  switch (first) {
    case 0x22:
      readString(walk);
      takeString(state);
      break;
    case 0x7b:
      if (takesObjects(node)) walkStructured(state, node, depth);
      else if (node.field.type === "completion") walkCompletion(state, node, depth);
      else refuseObject(state, node, depth);
      return;
    case 0x5b:
      checkDepth(walk, depth + 1);
      if (node.field.type === "dense_vector") walkVector(state, node);
      else if (node.field.type === "geo_point") walkStructured(state, node, depth);
      else for (let more = openArray(walk); more; more = nextElement(walk)) walkField(state, node, depth + 1);
      return;
    case 0x74:
    case 0x66:
    case 0x6e:
      if (readLiteral(walk) !== "null") takeBytes(value, ValueKind.boolean, at, walk.at - at);
      else if (node.nullValue === null) return;
      else takeNullValue(state, node, node.nullValue);
      break;
    default:
      readNumber(walk);
      takeBytes(value, ValueKind.number, walk.numberStart, walk.numberEnd - walk.numberStart);
      value.exact = walk.exact;
      value.mantissa = walk.mantissa;
      value.scale = walk.scale;
  }
  give(state, node, at);
  for (let i = 0; i < node.others.length; i++) give(state, node.others[i], at);
  if (node.missingCopies.length > 0) discoverCopies(state, node);
}

function takeBytes(value: ScalarValue, kind: number, start: number, length: number): void {
  value.kind = kind;
  value.start = start;
  value.length = length;
  value.ascii = true;
  value.exact = false;
}

function takeString(state: DocumentState): void {
  const { walk, value } = state;
  const { stringStart, stringEnd, stringFlags } = walk;
  takeBytes(value, ValueKind.string, stringStart, stringEnd - stringStart);
  if (stringFlags === 0) return;
  value.ascii = false;
  if ((stringFlags & StringFlags.escapes) === 0) return;
  const length = state.texts.kernels.unescapeText(stringStart, stringEnd, state.spare);
  value.start = state.spare;
  value.length = length;
  value.ascii =
    (stringFlags & StringFlags.nonAscii) === 0 &&
    ((stringFlags & StringFlags.codeUnits) === 0 || isAscii(walk.bytes, state.spare, length));
  state.spare += length;
}

/** An escape of a code unit may stand for a character beyond ASCII. */
function isAscii(bytes: Uint8Array, start: number, length: number): boolean {
  for (let i = start; i < start + length; i++) if (bytes[i] >= 0x80) return false;
  return true;
}

/** The text of `null_value` as if it stood in the document; room for each field's is kept behind the document. */
function takeNullValue(state: DocumentState, node: FieldNode, text: Uint8Array): void {
  if (node.nullDocument !== state.texts.document) {
    state.walk.bytes.set(text, state.spare);
    node.nullAt = state.spare;
    node.nullDocument = state.texts.document;
    state.spare += text.length;
  }
  const { type } = node.field;
  const isNumber = isWholeType(type) || isFractionType(type);
  takeBytes(state.value, isNumber ? ValueKind.number : ValueKind.string, node.nullAt, text.length);
  state.value.ascii = false;
}

/** Hands the current value to a field. */
function give(state: DocumentState, node: FieldNode, at: number): void {
  const { value } = state;
  if (node.counted) state.timestamps++;
  if (node.field.type === "text") {
    if (node.field.nested) return;
    addText(state.texts, node, value.start, value.length, value.ascii);
    return;
  }
  try {
    if (node.field.type === "dense_vector") throw notAVector(value);
    if (node.constant !== undefined) {
      giveConstant(state, node);
      return;
    }
    if (!writeValue(state.output, node, value)) ignoreValue(state, node);
  } catch (cause) {
    if (node.mapping.ignoreMalformed === true && cause instanceof EngineError && cause.code === "invalid_value") {
      ignoreValue(state, node);
      return;
    }
    throw fieldError(state, node, { preview: previewText(state.output, value), at, cause });
  }
}

/** A value of a field whose documents all have one: it must be that, or says what it is. It is written with the document. */
function giveConstant(state: DocumentState, node: FieldNode): void {
  const text = valueText(state.output, state.value);
  if (node.constant === text) return;
  const { path } = node.field;
  if (node.constant === null) {
    addMapping(state.additions, path.split("."), { ...node.mapping, constant: text });
    return;
  }
  throw new EngineError(
    "invalid_value",
    `[constant_keyword] field [${path}] only accepts values that are equal to the value defined in the mappings [${node.constant}], but got [${text}]`,
    { field: path, value: text },
  );
}

/** A value that is an object, or a list that is one value. */
function walkStructured(state: DocumentState, node: FieldNode, depth: number): void {
  const { walk } = state;
  const { at } = walk;
  skipValue(walk, depth);
  const text = Buffer.from(walk.bytes.buffer, walk.bytes.byteOffset + at, walk.at - at).toString("utf8");
  try {
    writeStructured(state.output, node, text);
  } catch (cause) {
    if (node.mapping.ignoreMalformed === true && cause instanceof EngineError && cause.code === "invalid_value") {
      ignoreValue(state, node);
      return;
    }
    throw fieldError(state, node, { preview: javaPreview(text.slice(0, MAX_PREVIEW)), at, cause });
  }
}

/** As much of a value is looked at for an error. */
const MAX_PREVIEW = 4096;

/** Inputs with a weight; fields beside it get the inputs. */
function walkCompletion(state: DocumentState, node: FieldNode, depth: number): void {
  const { walk, output } = state;
  const { at } = walk;
  skipValue(walk, depth);
  const json = textBetween(walk, at, walk.at);
  try {
    const { inputs, weight } = readCompletionEntry(node.field.path, json);
    for (const input of inputs) writeCompletion(output, node, input, weight);
    if (node.others.length > 0) for (const input of inputs) giveToOthers(state, node, { input, weight, at });
  } catch (cause) {
    throw fieldError(state, node, { preview: javaPreview(json), at, cause });
  }
}

/** The input as if it stood in the document by itself: it is no longer than where it stands there. */
function giveToOthers(
  state: DocumentState,
  node: FieldNode,
  { input, weight, at }: { input: string; weight: number; at: number },
): void {
  const bytes = Buffer.from(input, "utf8");
  state.walk.bytes.set(bytes, state.spare);
  takeBytes(state.value, ValueKind.string, state.spare, bytes.length);
  state.value.ascii = false;
  state.spare += bytes.length;
  for (const other of node.others) {
    if (other.field.type === "completion") writeCompletion(state.output, other, input, weight);
    else give(state, other, at);
  }
}

function textBetween({ bytes }: JsonWalk, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString("utf8");
}

/** An object where a value is wanted. */
function refuseObject(state: DocumentState, node: FieldNode, depth: number): void {
  const { walk } = state;
  const { at } = walk;
  skipValue(walk, depth);
  // Not even `ignore_malformed` lets objects pass.
  const cause = objectFault(node.field.type, placeOf(walk, at));
  const text = textBetween(walk, at, Math.min(walk.at, at + MAX_PREVIEW));
  throw fieldError(state, node, { preview: javaPreview(text), at, cause });
}

function walkVector(state: DocumentState, node: FieldNode): void {
  const { walk, vector } = state;
  const { at } = walk;
  try {
    readVector(walk, vector);
    checkVector(node, state.id, vector);
  } catch (cause) {
    throw fieldError(state, node, { preview: "[...]", at, cause });
  }
  if (node.mapping.dims === undefined) {
    addMapping(state.additions, node.field.path.split("."), { ...node.mapping, dims: vector.length });
    return;
  }
  if (node.field.mapping.index !== false || node.field.mapping.docValues !== false) {
    writeVector(state.output, node.field.ordinal, vector);
  }
}

/** Notes a mapping of a field that is there already, with more said about it. */
function addMapping(additions: Additions, path: string[], mapping: FieldMapping): void {
  let { properties } = additions;
  for (const name of path.slice(0, -1)) {
    properties[name] ??= { type: "object", properties: {} };
    const parent = properties[name];
    if (parent.type !== "object") return;
    properties = parent.properties;
  }
  properties[path[path.length - 1]] = mapping;
  additions.count++;
}

/** Fields that `copy_to` names and nobody made: they get the type that the value suggests. */
function discoverCopies(state: DocumentState, node: FieldNode): void {
  const { value, additions } = state;
  const text = valueText(state.output, value);
  for (const target of node.missingCopies) {
    const path = splitKey(target);
    if (value.kind === ValueKind.string) discoverString(additions, path, text);
    else if (value.kind === ValueKind.boolean) addScalar(additions, path, "boolean");
    else addScalar(additions, path, /[.eE]/.test(text) ? "double" : "long");
  }
}

/** A key the object's table does not know, just read: a dotted path, or a field to add, leave out or refuse. */
function walkUnknown(state: DocumentState, node: ObjectNode, depth: number, serial: number): void {
  const { walk } = state;
  const keyAt = walk.stringStart - 1;
  const key = stringText(walk.bytes, walk.stringStart, walk.stringEnd, walk.stringFlags);
  if (node.path === "" && METADATA.has(key)) throw metadataError(state, key, keyAt);
  const names = splitKey(key);
  readColon(walk);
  const { parent, rest, found } = followPath(state, node, names);
  if (found !== undefined) {
    const entry = addKey(node, key, found);
    entry.seen = serial;
    if (found.kind === "field") walkField(state, found, depth);
    else walkObjectValue(state, found, depth);
  } else if (!parent.enabled || parent.dynamic === "false") skipValue(walk, depth);
  else if (parent.dynamic === "strict") throw strictError(state, parent, { name: rest.join("."), at: keyAt });
  else {
    const { additions } = state;
    const strict = parent.dynamic === "strict_allow_templates";
    additions.refuse = strict ? (name) => strictError(state, parent, { name, at: keyAt }) : undefined;
    discoverValue(additions, walk, [...(parent.path === "" ? [] : parent.path.split(".")), ...rest], depth);
    additions.refuse = undefined;
  }
}

/** Follows names down from an object as far as the mapping goes. */
function followPath(state: DocumentState, node: ObjectNode, names: readonly string[]) {
  let parent = node;
  for (let i = 0; i < names.length; i++) {
    const name = Buffer.from(names[i], "utf8");
    const child = findKey(parent, name, 0, name.length)?.node;
    if (child === undefined) return { parent, rest: names.slice(i), found: undefined };
    if (i === names.length - 1) return { parent, rest: [], found: child };
    if (child.kind === "field") throw notAnObject(state, child, names);
    parent = child;
    if (!parent.enabled) return { parent, rest: names.slice(i + 1), found: undefined };
  }
  return { parent, rest: [], found: parent };
}
