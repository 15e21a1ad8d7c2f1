/**
 * Looking after data folders that no node uses: `verify` reads every byte and says what is wrong, `repair` makes an index
 * or the metadata openable again by giving up what is damaged. Stands above shard/, beside engine.ts; used by the
 * program's commands. Start reading at verify.ts.
 */
export { type RepairedPart, type RepairLoss, repairIndex } from "./repair-index.js";
export { repairMetadata } from "./repair-metadata.js";
export { type VerifiedIndex, type VerifiedMetadata, type VerifyReport, verifyFolder } from "./verify.js";
