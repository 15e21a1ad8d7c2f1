/** What the zoekt benchmark asks both servers: the same question in either's own words. Data. */

/** One query. */
export interface AskedBoth {
  readonly name: string;
  /** In Pinakes' query language. */
  readonly pinakes: string;
  /** In zoekt's. */
  readonly zoekt: string;
}

/** A pattern on lines, upper and lower case told apart; `filters` are read alike by both. */
function regex(
  name: string,
  pattern: string,
  filters: Omit<AskedBoth, "name"> = { pinakes: "", zoekt: "" },
): AskedBoth {
  const quoted = pattern.replaceAll("\\", "\\\\").replaceAll('"', '\\"');
  return {
    name,
    pinakes: `/${pattern}/ case:yes ${filters.pinakes}`.trim(),
    zoekt: `${filters.zoekt} case:yes content:"${quoted}"`.trim(),
  };
}

export const QUERIES: readonly AskedBoth[] = [
  regex("rare identifier", "fib6_table_lookup"),
  regex("common identifier", "spin_lock_irqsave"),
  regex("very common", "return -EINVAL;"),
  regex("absent", "zzqqxxyy_nothing"),
  { name: "case-insensitive", pinakes: "/deadlock/ case:no", zoekt: 'case:no content:"deadlock"' },
  regex("led by a literal", "fn\\s+poll_[a-z_]+\\("),
  regex("two literals", "memcpy\\(.*sizeof\\(\\*"),
  regex("alternation", "(ext4|xfs|btrfs)_[a-z_]*inode[a-z_]*\\("),
  regex("bounds of words", "\\bclass\\s+[A-Za-z]*Application[A-Za-z]*Context\\b"),
  regex("no trigram", "[0-9]{9}"),
  regex("of some files", "def test_[a-z_]*parse", { pinakes: "path:*.py", zoekt: "file:\\.py$" }),
  { name: "definition", pinakes: "def:BeanFactory", zoekt: "sym:^BeanFactory$ case:yes" },
];
