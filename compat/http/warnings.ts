/** Deprecation warnings: what a request is told beside its answer, in `Warning` headers (RFC 7234, 5.5). */
import type { Identity } from "../identities.js";

/** As many as Elasticsearch sends at most by default settings of its HTTP client: more only make headers too large. */
const MAX_WARNINGS = 64;

/** What one request is warned of, each text once. */
export class Warnings {
  readonly #texts = new Set<string>();

  add(text: string): void {
    if (this.#texts.size < MAX_WARNINGS) this.#texts.add(text);
  }

  /** Header values such as `299 Elasticsearch-8.19.2-pinakes "text"`. */
  headers({ distribution, version }: Identity): string[] {
    const product = distribution === "opensearch" ? "OpenSearch" : "Elasticsearch";
    return [...this.#texts].map((text) => `299 ${product}-${version}-pinakes "${escaped(text)}"`);
  }
}

/** Quotes and backslashes with a backslash before them; what a header cannot hold percent-encoded, as Elasticsearch does. */
function escaped(text: string): string {
  const quoted = text.replace(/[\\"]/g, (char) => `\\${char}`);
  return quoted.replace(/[^\t\x20-\x7e]/gu, (char) => encodeURIComponent(char));
}
