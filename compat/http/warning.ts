/** Warnings beside an answer, in the `Warning` header's form (RFC 7234) as Elasticsearch fills it. */
import type { Identity } from "../identities.js";
import { ACKNOWLEDGED, type Reply } from "./reply.js";

/** Stands for the hash of a build. */
const AGENT_HASH = "pinakes";

/** The value of the header: code 299, who warns, the text in quotes. */
export function warningValue({ version, distribution }: Identity, text: string): string {
  const product = distribution === "opensearch" ? "OpenSearch" : "Elasticsearch";
  const quoted = text.replace(/[\\"]/g, "\\$&").replace(/[^\x20-\x7e]/g, "?");
  return `299 ${product}-${version}-${AGENT_HASH} "${quoted}"`;
}

/** `{"acknowledged":true}`, with a warning if there is one. */
export function acknowledged(identity: Identity, warning: string | undefined): Reply {
  return warning === undefined
    ? ACKNOWLEDGED
    : { ...ACKNOWLEDGED, headers: { warning: warningValue(identity, warning) } };
}
