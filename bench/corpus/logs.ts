import { randomNumbers, zipf } from "../random.js";

/** Explicit mapping of the log corpus. */
export const LOG_INDEX = {
  settings: { number_of_shards: 1, number_of_replicas: 0 },
  mappings: {
    properties: {
      "@timestamp": { type: "date" },
      host: { type: "keyword" },
      clientip: { type: "ip" },
      method: { type: "keyword" },
      status: { type: "integer" },
      bytes: { type: "long" },
      took: { type: "integer" },
      request: { type: "text" },
      agent: { type: "keyword" },
      message: { type: "text" },
    },
  },
};

const SYLLABLES = [
  "ba",
  "ce",
  "di",
  "fo",
  "gu",
  "ha",
  "je",
  "ki",
  "lo",
  "mu",
  "na",
  "pe",
  "ri",
  "so",
  "tu",
  "va",
  "we",
  "xi",
  "yo",
  "zu",
];
const METHODS = ["GET", "GET", "GET", "GET", "POST", "PUT", "DELETE", "HEAD"];
const STATUS = [200, 200, 200, 200, 200, 200, 200, 304, 301, 404, 404, 500, 503, 403];

/** A pronounceable word for a rank: the same rank is the same word. */
export function word(rank: number): string {
  let text = "";
  for (let rest = rank + 7; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    text += SYLLABLES[rest % SYLLABLES.length];
  return text;
}

/** One access-log document. */
export interface LogDocument {
  "@timestamp": number;
  host: string;
  clientip: string;
  method: string;
  status: number;
  bytes: number;
  took: number;
  request: string;
  agent: string;
  message: string;
}

/** A seeded source of access-log documents, about 250 bytes each: words, hosts, paths and addresses by Zipf's law. */
export function logSource(seed: number): () => LogDocument {
  const random = randomNumbers(seed);
  const words = zipf(200_000, 1.07, random);
  const hosts = zipf(200, 1.07, random);
  const pages = zipf(20_000, 1.07, random);
  const addresses = zipf(50_000, 1.07, random);
  const agents = zipf(400, 1.07, random);
  const upTo = (n: number) => Math.floor(random() * n);
  let time = 1_700_000_000_000;
  return () => {
    time += upTo(2000);
    const address = addresses();
    const method = METHODS[upTo(METHODS.length)]!;
    const message = Array.from({ length: 4 + upTo(12) }, () => word(words())).join(" ");
    return {
      "@timestamp": time,
      host: `web-${hosts()}`,
      clientip: `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`,
      method,
      status: STATUS[upTo(STATUS.length)]!,
      bytes: Math.floor(Math.exp(random() * 12)),
      took: Math.floor(random() * random() * 3000),
      request: `${method} /${word(words())}/${word(words())}/${pages()} HTTP/1.1`,
      agent: `Mozilla/5.0 (X11; Linux x86_64) ${word(agents())}/${1 + hosts()}`,
      message,
    };
  };
}

/** Bulk bodies of `batch` documents each, made ahead so that the client spends nothing on them while it measures. */
export function logBatches(documents: number, batch: number, seed: number): Buffer[] {
  const next = logSource(seed);
  const bodies: Buffer[] = [];
  for (let made = 0; made < documents; made += batch) {
    const lines: string[] = [];
    for (let i = 0; i < Math.min(batch, documents - made); i++) lines.push('{"index":{}}', JSON.stringify(next()));
    bodies.push(Buffer.from(`${lines.join("\n")}\n`));
  }
  return bodies;
}
