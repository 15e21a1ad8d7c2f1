/** English, as far as questions and bug reports need it: words that say nothing of the code, and other forms of a word. */

/** Words that prose is held together by. Names in code may be made of them too, so only prose leaves them out. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a about above after again against all also although always am an and another any anybody anyone anything are aren as
  at away back be became because become been before being below between both but by came can cannot come could couldn did
  didn do does doesn doing don done down during each either else even ever every everyone everything few for from further
  gave get gets getting give given gives go goes going gone got had hadn happen happened happening happens has hasn have
  haven having he her here hers him his how however i if in instead into is isn it its itself just kind know let lets like
  looks lot made make makes making many may maybe me might more most much must my near need needs never no nobody none nor
  not nothing now of off often on once one only onto or other others otherwise our ours out over own please put quite
  rather really same say says see seem seems seen several shall she should shouldn since so some somebody someone something
  somehow still such sure take takes than that the their theirs them then there these they thing things this those though
  through thus to too toward towards try trying under unless until up upon us use used uses using very via want wants was
  wasn way we well went were weren what whatever when where whether which while who whom whose why will with within
  without won would wouldn yes yet you your yours`.split(/\s+/),
);

/** Words of a bug report's form: they stand in most of them and name nothing. */
const REPORT_WORDS: ReadonlySet<string> = new Set(
  `actual behavior behaviour bug code correct describe description docs documentation environment example expected
  feature fix following issue minimal observed output problem question report reproduce reproduction reproducing snippet
  steps suggestion version versions work worked working works wrong`.split(/\s+/),
);

/** Words that begin a question about code. */
const QUESTION_WORDS: ReadonlySet<string> = new Set(
  "can could do does how is should what when where which who why".split(" "),
);

/** Whether a word, in lower case, says nothing about the code. */
export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word);
}

/** Whether a word, in lower case, belongs to the form of a report rather than to what is reported. */
export function isReportWord(word: string): boolean {
  return REPORT_WORDS.has(word);
}

/** Whether a word, in lower case, begins a question. */
export function isQuestionWord(word: string): boolean {
  return QUESTION_WORDS.has(word);
}

/** What is cut off a word, the longest first. */
const ENDINGS = [
  "ations",
  "ation",
  "ions",
  "ings",
  "ies",
  "ion",
  "ing",
  "ers",
  "ors",
  "ied",
  "er",
  "or",
  "ed",
  "es",
  "s",
  "e",
  "y",
];
/** What is put behind what is left. */
const SUFFIXES = ["", "e", "s", "es", "ed", "ing", "er", "or", "ion", "ation"];
const SUFFIXES_OF_Y = ["y", "ies", "ied", "ying"];
const SHORTEST_ROOT = 3;

/**
 * Other forms of an English word in lower case that names in code may have: `computed` gives compute, computes, computing.
 * Some are no words; they stand nowhere and do no harm. Without the word itself, in a fixed order.
 */
export function formsOf(word: string): string[] {
  if (!/^[a-z]{4,}$/.test(word)) return [];
  const ending = ENDINGS.find((one) => word.endsWith(one) && word.length - one.length >= SHORTEST_ROOT) ?? "";
  const root = word.slice(0, word.length - ending.length);
  const suffixes = /^(?:ies|ied|y)$/.test(ending) ? SUFFIXES_OF_Y : SUFFIXES;
  // Both of compute and validate have an `ation`.
  const longer = ending.startsWith("ation") ? [`${root}at`] : [];
  const roots = [root, ...longer, root.replace(/([bdgmnprt])\1$/, "$1")];
  const forms = new Set(roots.flatMap((one) => suffixes.map((suffix) => one + suffix)));
  forms.delete(word);
  return [...forms];
}
