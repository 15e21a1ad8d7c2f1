/**
 * Names that standard libraries give to methods and functions. References are known by name alone, so a project's own
 * `add` would be credited with every call of every set's: such names say nothing about what matters in a project.
 * In lower case.
 */
export const COMMON_NAMES: ReadonlySet<string> = new Set(
  `abs add all any append apply assert at bind call ceil charat clear clone close concat contains copy count create
  defer delete describe destroy each emit empty encode decode end entries equal equals error every exec exists exit
  errorf expect extend fatalf fill filter find first flat flatmap floor flush foreach format fprintf from get has hash header id includes
  index indexof init insert int invoke isempty it item items iter join keys last len length list load lock log main
  make map match max min name new next node now number of off on open parse peek pop prepend print printf println push put
  query read reduce remove replace reset resolve reject reverse round run send set shift size skip slice some sort
  splice split sprintf start stop str string sub substring sum take test then throw tolower tostring toupper trim type
  unlock unwrap update value valueof values wait warn with write zip`.split(/\s+/),
);
