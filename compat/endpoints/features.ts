/** What clients of Elasticsearch ask about the product when they start: its licence and what it can do. */
import { basicStatus, license, monitoringBulk, trialStatus, xpackInfo } from "../handlers/license.js";
import { endpoint, type Row } from "./row.js";

const COMMON = { status: "full", missing: "", privilege: "monitor", identities: ["es8", "es9"] } as const;

/** Sorted by name. */
export const FEATURE_ROWS: readonly Row[] = [
  ...endpoint("license.get", "GET /_license", {
    ...COMMON,
    parameters: ["accept_enterprise", "local"],
    body: "none",
    handler: license,
  }),
  ...endpoint("license.get_basic_status", "GET /_license/basic_status", {
    ...COMMON,
    parameters: [],
    body: "none",
    handler: basicStatus,
  }),
  ...endpoint("license.get_trial_status", "GET /_license/trial_status", {
    ...COMMON,
    parameters: [],
    body: "none",
    handler: trialStatus,
  }),
  ...endpoint("monitoring.bulk", "POST,PUT /_monitoring/bulk", {
    ...COMMON,
    parameters: ["interval", "system_api_version", "system_id"],
    body: "bytes",
    handler: monitoringBulk,
  }),
  ...endpoint("xpack.info", "GET /_xpack", {
    ...COMMON,
    parameters: ["accept_enterprise", "categories"],
    body: "none",
    handler: xpackInfo,
  }),
];
