// The one module of kernels: what is exported here is what load.ts binds to the Kernels interface.
export { hashBytes, hashTokens } from "./hash.as";
export { tokenizeStandard } from "./tokenize.as";
export { crc32c } from "./crc32c.as";
export { lz4Compress, lz4Decompress } from "./lz4.as";
export { pack128, prefixSum128, unpack128 } from "./pack.as";
export { scoreBlock } from "./score.as";
export { rangeToBits1, rangeToBits2, rangeToBits4, rangeToBitsDouble4, rangeToBitsDouble8 } from "./range.as";
export { dot, squaredDistance } from "./similarity.as";
export { accumulateTerm, accumulateTokens, rebuildTermTable } from "./accumulate.as";
export { sortTerms } from "./sort-terms.as";
export { beginTerm, finishTerm } from "./encode-postings.as";
export { flushTerms } from "./flush-terms.as";
export { decodePositions, decodePostings } from "./decode-postings.as";
export { mergePostings } from "./merge-postings.as";
