// The one module of kernels: what is exported here is what load.ts binds to the Kernels interface.
export { hashBytes, hashTokens } from "./hash.as";
export { tokenizeStandard } from "./tokenize.as";
export { codeWords } from "./code-words.as";
export { plainText, unescapeText } from "./json-text.as";
export { crc32c } from "./crc32c.as";
export { lz4Compress, lz4Decompress, lz4DecompressPart } from "./lz4.as";
export { pack128, prefixSum128, unpack128 } from "./pack.as";
export { addScores, addScoresOf, harvest, keepAbove, scoreBlock, setScores } from "./score.as";
export { gather, gatherSums, intersect, keepLesser } from "./matches.as";
export { rangeToBits1, rangeToBits2, rangeToBits4, rangeToBitsDouble4, rangeToBitsDouble8 } from "./range.as";
export { dot, squaredDistance } from "./similarity.as";
export { pinSlot, unpinSlot } from "./slot.as";
export { accumulateTerm, accumulateTokens, rebuildTermTable } from "./accumulate.as";
export { sortTerms } from "./sort-terms.as";
export { beginTerm, finishTerm } from "./encode-postings.as";
export { flushTerms } from "./flush-terms.as";
export { writeTerm, writeTerms } from "./write-terms.as";
export { decodePositions, decodePostings } from "./decode-postings.as";
export { mergePostings } from "./merge-postings.as";
export { phraseMatches } from "./phrase.as";
export { countFeeds, scanLines } from "./scan-lines.as";
export { followShape, noteValues } from "./follow-shape.as";
export {
  bitmapChunks,
  decodeChunks,
  encodeChunks,
  forgetGrams,
  gatherGrams,
  mapChunks,
  sortGrams,
  takeGram,
} from "./grams.as";
