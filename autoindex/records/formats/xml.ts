import { BOUNDS, counted } from "../bounds.js";
import { isFieldName } from "../field-name.js";
import { emptyRecord, isRecord, none, oneList, type Reading, type RecordValue } from "../record.js";
import { parseMarkup } from "./markup.js";
import { typeTexts } from "./type-texts.js";

/** Elements from which on a list is one, and their share of what lies beside them. */
const MIN_ELEMENTS = 3;
const SHARE = 0.6;
/** Elements around the list: `rss/channel/item` has two. */
const MAX_AROUND = 4;
/** Roots whose children are drawings, programs or settings, never records. */
const NO_DATA =
  /^(svg|html|xsl:|xs:|xsd:|project$|plist$|configuration$|resources$|manifest$|wsdl:|definitions$|testsuites?$|nuspec|package$|ui$|interface$)/i;
/** Longest text that is kept of one element. */
const TEXT_CHARS = 1024 * 1024;

/** Elements of one name that lie beside each other; of a text that begins like XML. */
export function readXml(text: string): Reading {
  const place = findList(text);
  if ("whyNot" in place) return place;
  const builder = new RecordBuilder(place.path);
  parseMarkup(text, "xml", builder);
  const { records, left } = builder;
  if (records.length < MIN_ELEMENTS || records.every((record) => Object.keys(record).length === 0)) {
    return none("its elements hold no fields");
  }
  const notes = [
    ...(left > 0 ? [`${counted(left, "element")} beyond ${BOUNDS.records} were left out`] : []),
    ...(builder.deep > 0 ? [`${counted(builder.deep, "element")} deeper than ${BOUNDS.depth} were left out`] : []),
  ];
  return oneList(typeTexts(records), notes);
}

/** Where the like elements lie: the fullest place near the root. */
function findList(text: string): { path: string } | { whyNot: string } {
  const counts = new Map<string, number>();
  const within = new Map<string, number>();
  const stack: string[] = [];
  let root = "";
  parseMarkup(text, "xml", {
    onopentag(name) {
      root ||= name;
      const around = stack.at(-1) ?? "";
      const path = `${around}/${name}`;
      if (stack.length > 0 && stack.length <= MAX_AROUND && (counts.has(path) || counts.size < BOUNDS.fields * 4)) {
        counts.set(path, (counts.get(path) ?? 0) + 1);
        within.set(around, (within.get(around) ?? 0) + 1);
      }
      // A path is as deep as it is looked at, so that deep trees cost no more than flat ones.
      stack.push(stack.length <= MAX_AROUND ? path : around);
    },
    onclosetag: () => void stack.pop(),
  });
  if (NO_DATA.test(root)) return { whyNot: `<${root}> holds no records` };
  const found = [...counts]
    .map(([path, count]) => ({ path, count, share: count / within.get(path.slice(0, path.lastIndexOf("/")))! }))
    .filter(({ count, share }) => count >= MIN_ELEMENTS && share >= SHARE)
    // The outermost list: what lies inside its elements is their fields.
    .sort((a, b) => depthOf(a.path) - depthOf(b.path) || b.count - a.count);
  return found[0] ?? { whyNot: "it has no list of like elements" };
}

function depthOf(path: string): number {
  return path.split("/").length;
}

interface OpenElement {
  path: string;
  /** Set inside a record. */
  record: RecordValue | undefined;
  text: string;
}

/** Builds a record of each element at one path: attributes and inner elements are its fields, like ones a list. */
class RecordBuilder {
  readonly records: RecordValue[] = [];
  left = 0;
  deep = 0;
  readonly #stack: OpenElement[] = [];
  #inside = 0;

  constructor(private readonly path: string) {}

  onopentag(name: string, attributes: Record<string, string>): void {
    const around = this.#stack.at(-1);
    const path = this.#inside > 0 || this.#stack.length > MAX_AROUND ? "" : `${around?.path ?? ""}/${name}`;
    if (this.#inside > 0) this.#inside++;
    else if (path === this.path) this.#inside = 1;
    const record = this.#inside > 0 && this.#inside <= BOUNDS.depth ? emptyRecord() : undefined;
    if (this.#inside > BOUNDS.depth) this.deep++;
    if (record) for (const [key, value] of Object.entries(attributes)) put(record, key, value);
    this.#stack.push({ path, record, text: "" });
  }

  ontext(text: string): void {
    const element = this.#stack.at(-1);
    if (element?.record && element.text.length < TEXT_CHARS) element.text += text;
  }

  onclosetag(name: string): void {
    const element = this.#stack.pop();
    if (!element || this.#inside === 0) return;
    this.#inside--;
    if (!element.record) return;
    const text = element.text.trim();
    const value = elementValue(element.record, text);
    if (this.#inside > 0) {
      const around = this.#stack.at(-1)?.record;
      if (around && value !== undefined) put(around, name, value);
    } else if (this.records.length >= BOUNDS.records) this.left++;
    else this.records.push(isRecord(value) ? value : value === undefined ? emptyRecord() : { value });
  }
}

/** An element without attributes and elements is its text; beside them its text is their `value`. */
function elementValue(record: RecordValue, text: string): unknown {
  if (Object.keys(record).length === 0) return text === "" ? undefined : text;
  if (text !== "") put(record, "value", text);
  return record;
}

function put(record: RecordValue, given: string, value: unknown): void {
  const name = given.replaceAll(".", "_");
  if (!isFieldName(name) || /^xmlns(:|$)/.test(name)) return;
  const known = Object.hasOwn(record, name) ? record[name] : undefined;
  if (known === undefined) record[name] = value;
  else if (Array.isArray(known)) known.push(value);
  else record[name] = [known, value];
}
