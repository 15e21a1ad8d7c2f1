/**
 * Macros of large code bases in C and C++, as far as their names do not tell by themselves what they stand for. Read by
 * extract/c-macros.ts, which overwrites them before a text is parsed.
 */

/** A macro whose use declares something: which of its arguments is the name. */
export interface DeclaringMacro {
  pattern: string;
  argument: 0 | 1;
}

/** Uses that end with a semicolon and stand for a variable. */
export const DECLARING_MACROS: readonly DeclaringMacro[] = [
  { pattern: "(?:DEFINE|DECLARE)_PER_CPU\\w*", argument: 1 },
  {
    pattern: "DEFINE_STATIC_PERCPU_RWSEM|DEFINE_STATIC_SRCU|DEFINE_STATIC_KEY\\w*|DECLARE_STATIC_KEY\\w*",
    argument: 0,
  },
  { pattern: "DEFINE_(?:RAW_)?SPINLOCK|DEFINE_RWLOCK|DEFINE_MUTEX|DEFINE_SEMAPHORE|DEFINE_SEQLOCK", argument: 0 },
  { pattern: "DEFINE_(?:IDA|IDR|TIMER|XARRAY\\w*|HASHTABLE|KFIFO|WAIT|RATELIMIT_STATE|SHOW_ATTRIBUTE)", argument: 0 },
  {
    pattern: "DEFINE_SIMPLE_\\w+|DEFINE_DEBUGFS_\\w+|DEFINE_SHOW_\\w+|DEFINE_DRM_\\w+|DEFINE_STATIC_CALL\\w*",
    argument: 0,
  },
  {
    pattern:
      "DECLARE_(?:BITMAP|HASHTABLE|WORK|DELAYED_WORK|WAIT_QUEUE_HEAD|WAITQUEUE|RWSEM|COMPLETION|TASKLET|KFIFO\\w*|FLEX_ARRAY)",
    argument: 0,
  },
  { pattern: "DECLARE_SOCKADDR", argument: 1 },
  {
    pattern: "(?:SIMPLE|UNIVERSAL|RUNTIME)_DEV_PM_OPS|DEFINE_(?:SIMPLE|RUNTIME|UNIVERSAL|NOIRQ)_DEV_PM_OPS",
    argument: 0,
  },
  { pattern: "(?:L|HL)IST_HEAD|LLIST_HEAD|HLIST_NULLS_HEAD|(?:BLOCKING|ATOMIC|RAW|SRCU)_NOTIFIER_HEAD", argument: 0 },
  { pattern: "(?:DEVICE|DRIVER|BUS|CLASS|SENSOR_DEVICE)_ATTR(?:_[A-Z0-9]+)*", argument: 0 },
  { pattern: "PCI_DEVICE_TABLE|DECLARE_INTC_DESC|ATTRIBUTE_GROUPS", argument: 0 },
];

/** Words between or before what a declaration is made of that say nothing to the grammar. */
export const ATTRIBUTE_WORDS: readonly string[] = [
  "__init __exit __initdata __exitdata __initconst __user __iomem __percpu __rcu __force __kernel __always_inline",
  "__maybe_unused __always_unused __must_check __cold __hot __read_mostly __weak __packed __sched __ref __refdata",
  "__net_init __net_exit __devinit __cpuinit __visible __noreturn __pure __malloc __ro_after_init __private __safe",
  "__lockfunc __latent_entropy __deprecated __used __flatten __noclone __inittest __cacheline_aligned __bitwise __nocast",
  "____cacheline_aligned ____cacheline_aligned_in_smp ____cacheline_internodealigned_in_smp __cacheline_aligned_in_smp",
  "__cpuidle __entry_text __irq_entry __kprobes __no_sanitize_address __no_kcsan __no_kasan_or_inline __noendbr",
  "__randomize_layout __no_randomize_layout __xipram __meminit __mm_init __init_memblock __init_or_module __init_refok",
  "noinline noinstr nokprobe_inline asmlinkage notrace noinline_for_stack fastcall noinline_if_conserve_stack inline_map",
  "_Atomic WINAPI CALLBACK APIENTRY STDMETHODCALLTYPE",
].flatMap((line) => line.split(" "));

/** Words with arguments that say nothing to the grammar. */
export const ATTRIBUTES_WITH_ARGUMENTS: readonly string[] =
  "__printf __scanf __aligned __section __acquires __releases __must_hold __cond_lock __guarded_by __counted_by __alloc_size __assume_aligned __attribute_const__ __compiletime_warning __compiletime_error __format __no_sanitize __diagnose_as __ARCH_SI_IA64 ___ARCH_SI_IA64 __diag_ignore __free __page_aligned_bss_attr __designated_init_attr".split(
    " ",
  );

/** Words that stand for a keyword, written so that the text keeps its length. */
export const KEYWORDS: Readonly<Record<string, string>> = {
  __try: "try",
  __catch: "catch",
  __inline__: "inline",
  __inline: "inline",
  __volatile__: "volatile",
  __asm__: "asm",
  __const: "const",
};
