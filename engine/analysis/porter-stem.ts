/**
 * M. F. Porter, "An algorithm for suffix stripping", Program 14 (1980), with the two departures its author published
 * later (`bli` and `logi` in step 2), as Lucene's PorterStemmer has them.
 */
const CONSONANT = "(?:[^aeiouy]|(?<![^aeiou])y|^y)";
const VOWEL_RUN = /(?:[aeiou]|(?<=[^aeiou])y)+/g;

/** Number of vowel-consonant sequences of a stem, Porter's m. */
function measure(stem: string): number {
  const marked = stem.replace(VOWEL_RUN, "V").replace(/[^V]+/g, "C");
  return marked.split("VC").length - 1;
}

const hasVowel = (stem: string): boolean => /[aeiou]|[^aeiou]y/.test(stem);
const endsDouble = (stem: string): boolean => /([^aeiou])\1$/.test(stem) && !/yy$/.test(stem);
const endsShort = (stem: string): boolean =>
  new RegExp(`${CONSONANT}(?:[aeiou]|(?<=[^aeiou])y)[^aeiouwxy]$`).test(stem);

const STEP2: readonly (readonly [string, string])[] = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["bli", "ble"],
  ["alli", "al"],
  ["entli", "ent"],
  ["eli", "e"],
  ["ousli", "ous"],
  ["ization", "ize"],
  ["ation", "ate"],
  ["ator", "ate"],
  ["alism", "al"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["biliti", "ble"],
  ["logi", "log"],
];
const STEP3: readonly (readonly [string, string])[] = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ful", ""],
  ["ness", ""],
];
const STEP4 = "al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize".split(" ");

/** The stem of a lower-case English word. Words of one or two letters stay; other characters count as consonants. */
export function porterStem(word: string): string {
  if (word.length < 3) return word;
  return step5(step4(replaceSuffix(replaceSuffix(step1(word), STEP2), STEP3)));
}

function step1(word: string): string {
  let stem = word;
  if (/sses$|ies$/.test(stem)) stem = stem.slice(0, -2);
  else if (/[^s]s$/.test(stem)) stem = stem.slice(0, -1);
  if (stem.endsWith("eed")) {
    if (measure(stem.slice(0, -3)) > 0) stem = stem.slice(0, -1);
  } else {
    const cut = stem.replace(/(?:ed|ing)$/, "");
    if (cut !== stem && hasVowel(cut)) stem = mendAfterCut(cut);
  }
  return stem.endsWith("y") && hasVowel(stem.slice(0, -1)) ? `${stem.slice(0, -1)}i` : stem;
}

function mendAfterCut(stem: string): string {
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (endsDouble(stem) && !/[lsz]$/.test(stem)) return stem.slice(0, -1);
  return measure(stem) === 1 && endsShort(stem) ? `${stem}e` : stem;
}

function longestSuffix(word: string, suffixes: readonly string[]): string | undefined {
  let best: string | undefined;
  for (const suffix of suffixes) if (word.endsWith(suffix) && suffix.length > (best?.length ?? 0)) best = suffix;
  return best;
}

function replaceSuffix(word: string, rules: readonly (readonly [string, string])[]): string {
  const suffix = longestSuffix(
    word,
    rules.map(([from]) => from),
  );
  if (suffix === undefined) return word;
  const stem = word.slice(0, -suffix.length);
  return measure(stem) > 0 ? stem + rules.find(([from]) => from === suffix)![1] : word;
}

function step4(word: string): string {
  const suffix = longestSuffix(word, STEP4);
  if (suffix === undefined) return word;
  const stem = word.slice(0, -suffix.length);
  if (suffix === "ion" && !/[st]$/.test(stem)) return word;
  return measure(stem) > 1 ? stem : word;
}

function step5(word: string): string {
  let stem = word;
  if (stem.endsWith("e")) {
    const cut = stem.slice(0, -1);
    const m = measure(cut);
    if (m > 1 || (m === 1 && !endsShort(cut))) stem = cut;
  }
  return stem.endsWith("ll") && measure(stem) > 1 ? stem.slice(0, -1) : stem;
}
