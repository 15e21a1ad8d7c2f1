/** What the regex benchmark asks for: patterns that ripgrep, codesearch and Pinakes read alike. Data, by kind of pattern. */

/** One pattern. */
export interface Asked {
  readonly pattern: string;
  readonly caseInsensitive?: true;
  readonly wholeWord?: true;
  /** Matches may cross lines; the line in which one begins counts. */
  readonly multiline?: true;
  /** No three characters that must follow each other: all text is read. */
  readonly noTrigram?: true;
  /** codesearch means something else by it, has no such switch, or takes a minute: it is not asked. Its `\b`, `\d`, `\w` are ASCII's. */
  readonly notCodesearch?: true;
}

const LITERALS = [
  "fib6_table_lookup",
  "spin_lock_irqsave",
  "return -EINVAL;",
  "zzqqxxyy_nothing",
  "BeanFactory",
  "unexpected end of",
  "#include <linux/slab\\.h>",
  "AbstractApplicationContext",
  "memcpy(",
];

/** More than forty, multi-line ones apart. */
export const PATTERNS: readonly Asked[] = [
  ...LITERALS.map((literal) => ({ pattern: literal.replace(/\($/, "\\(") })),
  // Upper and lower case alike, with letters that fold to others than themselves.
  { pattern: "deadlock", caseInsensitive: true },
  { pattern: "kmalloc_array", caseInsensitive: true },
  { pattern: "todo: ", caseInsensitive: true },
  { pattern: "straße", caseInsensitive: true, notCodesearch: true },
  // A literal at one end, in the middle, at both ends.
  { pattern: "fn\\s+poll_[a-z_]+\\(" },
  { pattern: "memcpy\\(.*sizeof\\(\\*" },
  { pattern: "def test_[a-z_]*parse" },
  { pattern: "EXPORT_SYMBOL_GPL\\(tcp_[a-z_]+\\)" },
  { pattern: "static int [a-z_]+_probe\\(struct platform_device" },
  { pattern: "0x[0-9a-f]{8}ULL" },
  { pattern: "err[a-z]* = -E(NOMEM|AGAIN)" },
  { pattern: "func \\([a-z]+ \\*[A-Z][A-Za-z]+\\) String\\(\\)" },
  { pattern: "https?://[a-z.]*kernel\\.org/[^ ]*" },
  { pattern: 'printk\\(KERN_[A-Z]+ "[^"]*\\\\n"\\)' },
  // Alternations.
  { pattern: "(ext4|xfs|btrfs)_[a-z_]*inode[a-z_]*\\(" },
  { pattern: "foo_bar_baz|kfree_rcu|no_such_name_here" },
  { pattern: "(mutex|rwsem|semaphore)_(un)?lock_[a-z]+" },
  { pattern: "\\b(class|interface|struct|func|fn|def)\\s+BeanFactory\\b", notCodesearch: true },
  { pattern: "list_(add|del)_(tail|rcu)\\(&[a-z]+->[a-z]+," },
  // Words.
  { pattern: "\\bclass\\s+[A-Za-z]*Application[A-Za-z]*Context\\b", notCodesearch: true },
  { pattern: "\\bkref_put\\b", notCodesearch: true },
  { pattern: "inode", wholeWord: true, caseInsensitive: true, notCodesearch: true },
  { pattern: "rcu_read_lock", wholeWord: true, notCodesearch: true },
  { pattern: "\\Block_sock", notCodesearch: true },
  // Begins and ends of lines.
  { pattern: "^struct file_operations " },
  { pattern: "^module_init\\(.*\\);$" },
  { pattern: "^\\s+goto out_free_[a-z]+;$" },
  { pattern: "^#define\\s+PCI_VENDOR_ID_[A-Z]+\\s+0x1" },
  { pattern: "^package org\\.springframework\\.beans;$" },
  { pattern: "^.{400,}$", noTrigram: true, notCodesearch: true },
  // Beyond ASCII.
  { pattern: "Müller" },
  { pattern: "[äöüß]{2}", noTrigram: true },
  { pattern: "\\p{Greek}+", noTrigram: true },
  { pattern: "\\p{Han}{2,}", noTrigram: true },
  { pattern: "“[^”]+”" },
  // Little or nothing that must be there.
  { pattern: "[0-9]{9}", noTrigram: true },
  { pattern: "[A-Z]{20}", noTrigram: true },
  { pattern: "\\t \\t" },
  { pattern: "[^\\x00-\\x7f]{5}", noTrigram: true },
  { pattern: "(a|b|c)x[0-9]y" },
];

export const MULTILINE: readonly Asked[] = [
  { pattern: "return 0;\\n\\}\\n\\n/\\*\\*", multiline: true },
  { pattern: "kref_get\\([^;]*;\\s+spin_unlock", multiline: true },
  { pattern: '^class [A-Za-z]+:\\n    """[A-Z]', multiline: true },
];
