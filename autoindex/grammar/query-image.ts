/**
 * A compiled query as bytes, and back. Compiling one looks at all states of its grammar for every pattern, which takes up
 * to half a second (C++) and gives 20 KB. As the parser's runtime keeps it (query.c of tree-sitter 0.27, in 32-bit
 * WebAssembly), in words from the query's beginning:
 *
 *   0    13 arrays, three words each: address of its elements, how many they are, for how many there is room
 *   39   address of the language
 *   40   patterns that begin with a wildcard (u16)
 *
 * Its elements hold no addresses, except that those of the fifth are arrays of bytes themselves.
 *
 * An image is a sequence of numbers (u32, little endian) and bytes: the word 40; of each array its number of elements and
 * their bytes, of the fifth each element in the same way.
 */
import { Query, type Language as TreeLanguage } from "web-tree-sitter";
import { type ParserRuntime, queryAddress } from "./runtime.js";

/** Bytes of an element of each array. */
const ELEMENT_BYTES = {
  captureNames: 1,
  captureSlices: 8,
  predicateTexts: 1,
  predicateSlices: 8,
  captureQuantifiers: 12,
  steps: 20,
  patternMap: 6,
  predicateSteps: 8,
  patterns: 28,
  stepOffsets: 8,
  negatedFields: 2,
  strings: 1,
  rootlessRepeats: 2,
} as const;

type ArrayName = keyof typeof ELEMENT_BYTES;

const ARRAYS = Object.keys(ELEMENT_BYTES) as ArrayName[];
const ARRAY_WORDS = 3;
const LANGUAGE = ARRAYS.length * ARRAY_WORDS;
const WILDCARDS = LANGUAGE + 1;
const QUERY_WORDS = WILDCARDS + 1;

/** The image of a query. */
export function imageOf(runtime: ParserRuntime, query: Query): Buffer {
  const words = runtime.HEAPU32.subarray(queryAddress(query) >>> 2);
  const pieces: Buffer[] = [number(words[WILDCARDS]!)];
  for (const [place, name] of ARRAYS.entries())
    pieces.push(...piecesOf(runtime, name, words.subarray(place * ARRAY_WORDS)));
  return Buffer.concat(pieces);
}

function piecesOf(runtime: ParserRuntime, name: ArrayName, array: Uint32Array): Buffer[] {
  const [address, size] = array as unknown as [number, number];
  if (name !== "captureQuantifiers") return [number(size), bytesAt(runtime, address, size * ELEMENT_BYTES[name])];
  const inner = Array.from({ length: size }, (_, at) => runtime.HEAPU32.subarray((address >>> 2) + at * ARRAY_WORDS));
  return [number(size), ...inner.flatMap((each) => [number(each[1]!), bytesAt(runtime, each[0]!, each[1]!)])];
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function bytesAt(runtime: ParserRuntime, address: number, length: number): Buffer {
  return Buffer.from(runtime.HEAPU8.subarray(address, address + length));
}

/** The query that an image was made of; `source` is its text, and nothing but what is kept beside it. */
export function queryFrom(
  image: Buffer,
  at: { runtime: ParserRuntime; language: TreeLanguage; source: string },
): Query {
  const { runtime, language, source } = at;
  const address = new ImageReader(image, runtime).restore((language as unknown as { readonly 0: number })[0]);
  const compile = runtime._ts_query_new;
  // What web-tree-sitter keeps of a query beside its address, it asks of the query by itself.
  runtime._ts_query_new = () => address;
  try {
    return new Query(language, source);
  } finally {
    runtime._ts_query_new = compile;
  }
}

/** Writes a query into the runtime's memory, which may grow with every block that is asked for. */
class ImageReader {
  #at = 0;

  constructor(
    private readonly image: Buffer,
    private readonly runtime: ParserRuntime,
  ) {}

  restore(language: number): number {
    const { runtime } = this;
    const query = runtime._malloc(QUERY_WORDS * 4);
    runtime.HEAPU32[(query >>> 2) + LANGUAGE] = language;
    runtime.HEAPU32[(query >>> 2) + WILDCARDS] = this.#number();
    for (const [place, name] of ARRAYS.entries()) this.#array(query + place * ARRAY_WORDS * 4, name);
    return query;
  }

  /** Restores an array, whose three words are at `place`. */
  #array(place: number, name: ArrayName): void {
    const size = this.#number();
    const length = size * ELEMENT_BYTES[name];
    const elements = this.#block(place, size, length);
    if (name !== "captureQuantifiers") {
      this.#bytes(elements, length);
      return;
    }
    for (let at = 0; at < size; at++) {
      const inner = this.#number();
      this.#bytes(this.#block(elements + at * ELEMENT_BYTES[name], inner, inner), inner);
    }
  }

  /** Takes room for an array of `size` elements and notes it at `place`. */
  #block(place: number, size: number, length: number): number {
    const address = length === 0 ? 0 : this.runtime._malloc(length);
    this.runtime.HEAPU32.set([address, size, size], place >>> 2);
    return address;
  }

  #bytes(address: number, length: number): void {
    if (this.#at + length > this.image.length) throw new RangeError("the image of a query ends in the middle");
    this.runtime.HEAPU8.set(this.image.subarray(this.#at, this.#at + length), address);
    this.#at += length;
  }

  #number(): number {
    const value = this.image.readUInt32LE(this.#at);
    this.#at += 4;
    return value;
  }
}
