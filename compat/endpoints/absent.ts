/** Listings of features that cannot be here: clients of Elasticsearch ask for them when they start. */
import { ABSENT, absent } from "../handlers/absent.js";
import { CLUSTER_WAITS, type ParameterName } from "../parameters.js";
import { endpoint, type Row } from "./row.js";

const PARAMETERS: readonly ParameterName[] = ["allow_no_match", "from", "size", ...CLUSTER_WAITS];

/** Sorted by name. */
export const ABSENT_ROWS: readonly Row[] = ABSENT.flatMap((listing) =>
  endpoint(listing.name, listing.routes, {
    status: "full",
    missing: "",
    parameters: PARAMETERS,
    body: "bytes",
    privilege: "monitor",
    identities: ["es8", "es9"],
    handler: absent(listing),
  }),
);
