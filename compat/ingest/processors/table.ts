/** The processors there are, by type. To add one: write its file, and its row here. */
import type { ProcessorType } from "../processor.js";
import { append } from "./append.js";
import { bytes } from "./bytes.js";
import { lowercase, trim, uppercase } from "./case.js";
import { communityId } from "./community-id.js";
import { convert } from "./convert.js";
import { csv } from "./csv.js";
import { date } from "./date.js";
import { dateIndexName } from "./date-index-name.js";
import { dissect } from "./dissect.js";
import { dotExpander } from "./dot-expander.js";
import { fail } from "./fail.js";
import { fingerprint } from "./fingerprint.js";
import { drop, terminate } from "./flow.js";
import { foreach } from "./foreach.js";
import { grok } from "./grok.js";
import { gsub } from "./gsub.js";
import { htmlStrip } from "./html-strip.js";
import { join } from "./join.js";
import { json } from "./json.js";
import { kv } from "./kv.js";
import { networkDirection } from "./network-direction.js";
import { pipeline } from "./pipeline.js";
import { remove } from "./remove.js";
import { rename } from "./rename.js";
import { reroute } from "./reroute.js";
import { set } from "./set.js";
import { sort } from "./sort.js";
import { split } from "./split.js";
import { uriParts } from "./uri-parts.js";
import { urldecode } from "./urldecode.js";
import { userAgent } from "./user-agent.js";

/** Sorted by type. */
export const PROCESSORS: Readonly<Record<string, ProcessorType>> = {
  append,
  bytes,
  community_id: communityId,
  convert,
  csv,
  date,
  date_index_name: dateIndexName,
  dissect,
  dot_expander: dotExpander,
  drop,
  fail,
  fingerprint,
  foreach,
  grok,
  gsub,
  html_strip: htmlStrip,
  join,
  json,
  kv,
  lowercase,
  network_direction: networkDirection,
  pipeline,
  remove,
  rename,
  reroute,
  set,
  sort,
  split,
  terminate,
  trim,
  uppercase,
  uri_parts: uriParts,
  urldecode,
  user_agent: userAgent,
};

/** Processors that Elasticsearch has and that are refused by name: they want models, databases, users, scripts or shapes. */
export const NOT_BUILT_PROCESSORS: readonly string[] = [
  "attachment",
  "cef",
  "circle",
  "enrich",
  "geo_grid",
  "geoip",
  "inference",
  "ip_location",
  "redact",
  "registered_domain",
  "script",
  "set_security_user",
];
