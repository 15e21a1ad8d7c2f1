/**
 * Sixty questions about three repositories, each with an answer that was looked up by hand, and with what must have been
 * read to know it. The run checks every piece of evidence against the files first.
 */

/** A repository at a commit. */
export interface Repository {
  name: "vite" | "pytest" | "rails";
  url: string;
  commit: string;
}

/** Where the questions are about. */
export const REPOSITORIES: readonly Repository[] = [
  { name: "vite", url: "https://github.com/vitejs/vite", commit: "a98c8d95d552c6fa98ab66fb810f5b39ad5abf49" },
  { name: "pytest", url: "https://github.com/pytest-dev/pytest", commit: "df87db7b0462fb764ef73fa00561adf8ad047572" },
  { name: "rails", url: "https://github.com/rails/rails", commit: "2a2db1e8d6d104ee0611efcae7eb023af65cff34" },
];

/**
 * What is asked. `definition`: how is NAME implemented; `parameters`: what does NAME take; `callers`: which functions call
 * NAME; `message`: which function says this; `topic`: where is this done.
 */
export type QuestionKind = "definition" | "parameters" | "callers" | "message" | "topic";

/** One question. */
export interface Question {
  repo: Repository["name"];
  kind: QuestionKind;
  /** What the asker knows: a name, the constant part of a message, or words. */
  known: string;
  /** File of the answer, in the repository. */
  path: string;
  /** Texts that must all have been read, white space apart. */
  evidence: readonly string[];
}

type Row = readonly [QuestionKind, string, string, readonly string[]];

const NODE = "packages/vite/src/node";
const VITE: readonly Row[] = [
  [
    "definition",
    "cleanupDepsCacheStaleDirs",
    `${NODE}/optimizer/index.ts`,
    ["export async function cleanupDepsCacheStaleDirs(", "config.logger.error(err)"],
  ],
  [
    "definition",
    "isFileServingAllowed",
    `${NODE}/server/middlewares/static.ts`,
    ["return isFileLoadingAllowed(config, filePath)"],
  ],
  [
    "definition",
    "hoistAtRules",
    `${NODE}/plugins/css.ts`,
    ["export function hoistAtRules(css: string): string {", "return s.toString()"],
  ],
  ["definition", "lookupFile", `${NODE}/utils.ts`, ["export function lookupFile(", "dir = parentDir"]],
  [
    "definition",
    "getAdditionalAllowedHosts",
    `${NODE}/server/middlewares/hostCheck.ts`,
    ["export function getAdditionalAllowedHosts(", "list.push(serverOriginUrl.hostname)"],
  ],
  [
    "parameters",
    "generateCodeFrame",
    `${NODE}/utils.ts`,
    ["source: string", "start: number | Pos = 0", "end?: number | Pos"],
  ],
  [
    "parameters",
    "replaceDefine",
    `${NODE}/plugins/define.ts`,
    ["environment: Environment", "code: string", "id: string", "define: Record<string, string>"],
  ],
  [
    "parameters",
    "injectInlinedCSS",
    `${NODE}/plugins/css.ts`,
    ["s: MagicString", "format: InternalModuleFormat", "injectCode: string"],
  ],
  [
    "parameters",
    "transformGlobImport",
    `${NODE}/plugins/importMetaGlob.ts`,
    ["root: string", "resolveId: IdResolver", "restoreQueryExtension = false"],
  ],
  [
    "callers",
    "replaceDefine",
    `${NODE}/plugins/clientInjections.ts`,
    ["clientInjectionsPlugin", "definePlugin", `${NODE}/plugins/define.ts`],
  ],
  ["callers", "parseSrcset", `${NODE}/utils.ts`, ["processSrcSet(", "processSrcSetSync("]],
  ["callers", "lookupFile", `${NODE}/optimizer/index.ts`, ["getLockfileHash("]],
  ["callers", "getPackageManagerCommand", `${NODE}/plugins/css.ts`, ["loadPreprocessorPath("]],
  [
    "message",
    "No matching HTML proxy module found from",
    `${NODE}/plugins/html.ts`,
    ["No matching HTML proxy module found from", "htmlInlineProxyPlugin"],
  ],
  [
    "message",
    "terser not found. Since Vite v3",
    `${NODE}/plugins/terser.ts`,
    ["terser not found. Since Vite v3", "loadTerserPath"],
  ],
  [
    "message",
    "not found. Did you install it? Try",
    `${NODE}/plugins/css.ts`,
    ["not found. Did you install it? Try", "loadPreprocessorPath"],
  ],
  [
    "message",
    "In virtual modules, all globs must start with",
    `${NODE}/plugins/importMetaGlob.ts`,
    ["In virtual modules, all globs must start with", "transformGlobImport"],
  ],
  [
    "topic",
    "host validation middleware",
    `${NODE}/server/middlewares/hostCheck.ts`,
    ["export function hostValidationMiddleware("],
  ],
  ["topic", "import glob plugin", `${NODE}/plugins/importMetaGlob.ts`, ["export function importGlobPlugin("]],
  ["topic", "restart server", `${NODE}/server/index.ts`, ["async function restartServer("]],
];

const PYTEST: readonly Row[] = [
  [
    "definition",
    "cleanup_numbered_dir",
    "src/_pytest/pathlib.py",
    ["def cleanup_numbered_dir(", "cleanup_dead_symlinks(root)"],
  ],
  [
    "definition",
    "locate_config",
    "src/_pytest/config/findpaths.py",
    ["def locate_config(", "return found_pyproject_toml.parent, found_pyproject_toml, {}, []"],
  ],
  [
    "definition",
    "_resolve_args_directness",
    "src/_pytest/fixtures.py",
    ["def _resolve_args_directness(", "return arg_directness"],
  ],
  [
    "definition",
    "collect_one_node",
    "src/_pytest/runner.py",
    ["def collect_one_node(", "ihook.pytest_exception_interact(node=collector, call=call, report=rep)"],
  ],
  [
    "definition",
    "get_dirs_from_args",
    "src/_pytest/config/findpaths.py",
    ["def get_dirs_from_args(", "return [get_dir_from_path(path) for path in possible_paths if safe_exists(path)]"],
  ],
  [
    "parameters",
    "importorskip",
    "src/_pytest/outcomes.py",
    ["modname: str", "minversion: str | None = None", "exc_type: type[ImportError] | None = None"],
  ],
  [
    "parameters",
    "make_numbered_dir_with_cleanup",
    "src/_pytest/pathlib.py",
    ["root: Path", "keep: int", "lock_timeout: float", "register: Any"],
  ],
  [
    "parameters",
    "determine_setup",
    "src/_pytest/config/findpaths.py",
    ["override_ini: Sequence[str] | None", "rootdir_cmd_arg: str | None", "invocation_dir: Path"],
  ],
  [
    "parameters",
    "call_and_report",
    "src/_pytest/runner.py",
    ['when: Literal["setup", "call", "teardown"]', "log: bool = True"],
  ],
  [
    "callers",
    "_resolve_args_directness",
    "src/_pytest/python.py",
    ["parametrize(", "src/_pytest/fixtures.py", "_get_direct_parametrize_args("],
  ],
  ["callers", "find_suffixes", "src/_pytest/pathlib.py", ["make_numbered_dir(", "cleanup_candidates("]],
  ["callers", "print_usage_error", "src/_pytest/config/__init__.py", ["_main("]],
  ["callers", "get_dirs_from_args", "src/_pytest/config/findpaths.py", ["determine_setup("]],
  [
    "message",
    "is not a normalized and relative path",
    "src/_pytest/tmpdir.py",
    ["is not a normalized and relative path", "def _ensure_relative_to_basetemp("],
  ],
  ["message", "is the lower-most scope", "src/_pytest/scope.py", ["is the lower-most scope", "def next_lower("]],
  [
    "message",
    "maybe you meant pytest.mark.skipif?",
    "src/_pytest/skipping.py",
    ["maybe you meant pytest.mark.skipif?", "def evaluate_skip_marks("],
  ],
  [
    "message",
    "You must specify at least one parameter to match on.",
    "src/_pytest/raises.py",
    ["You must specify at least one parameter to match on.", "RaisesExc"],
  ],
  ["topic", "assertion rewriter", "src/_pytest/assertion/rewrite.py", ["class AssertionRewriter("]],
  ["topic", "last failed plugin cache", "src/_pytest/cacheprovider.py", ["class LFPlugin:"]],
  ["topic", "numbered directory cleanup", "src/_pytest/pathlib.py", ["def make_numbered_dir_with_cleanup("]],
];

const RECORD = "activerecord/lib/active_record";
const SUPPORT = "activesupport/lib/active_support";
const FORGERY = "actionpack/lib/action_controller/metal/request_forgery_protection.rb";
const RAILS: readonly Row[] = [
  [
    "definition",
    "determine_delay",
    "activejob/lib/active_job/exceptions.rb",
    ["def determine_delay(", "raise \"Couldn't determine a delay based on"],
  ],
  [
    "definition",
    "rescue_with_handler",
    `${SUPPORT}/rescuable.rb`,
    [
      "def rescue_with_handler(exception, object: self, visited_exceptions: [])",
      "rescue_with_handler(exception.cause, object: object, visited_exceptions: visited_exceptions)",
    ],
  ],
  [
    "definition",
    "assign_nested_attributes_for_one_to_one_association",
    `${RECORD}/nested_attributes.rb`,
    [
      "def assign_nested_attributes_for_one_to_one_association(",
      "Are you trying to build a polymorphic one-to-one association?",
    ],
  ],
  [
    "definition",
    "add_to_transaction",
    `${RECORD}/transactions.rb`,
    ["def add_to_transaction(ensure_finalize = true)", "connection.add_transaction_record(self, ensure_finalize)"],
  ],
  [
    "definition",
    "make_conditionals_ractor_shareable",
    `${SUPPORT}/callbacks.rb`,
    ["def make_conditionals_ractor_shareable(", "Ractors.make_shareable(conditionals)"],
  ],
  [
    "parameters",
    "in_batches",
    `${RECORD}/relation/batches.rb`,
    ["of: 1000", "error_on_ignore: nil", "use_ranges: nil"],
  ],
  [
    "parameters",
    "retry_on",
    "activejob/lib/active_job/exceptions.rb",
    ["wait: 3.seconds, attempts: 5, queue: nil, priority: nil, jitter: JITTER_DEFAULT, report: false"],
  ],
  [
    "parameters",
    "rate_limit",
    "actionpack/lib/action_controller/metal/rate_limiting.rb",
    ["by: -> { request.remote_ip }", "store: cache_store, name: nil, scope: nil"],
  ],
  [
    "parameters",
    "increment_counter",
    `${RECORD}/counter_cache.rb`,
    ["def increment_counter(counter_name, id, by: 1, touch: nil)"],
  ],
  ["callers", "determine_delay", "activejob/lib/active_job/exceptions.rb", ["retry_on("]],
  ["callers", "per_form_csrf_token", FORGERY, ["masked_authenticity_token", "valid_per_form_csrf_token?"]],
  [
    "callers",
    "add_to_transaction",
    `${RECORD}/touch_later.rb`,
    ["touch_later", "with_transaction_returning_status", `${RECORD}/transactions.rb`],
  ],
  ["callers", "clear_transaction_record_state", `${RECORD}/transactions.rb`, ["rolledback!"]],
  [
    "message",
    "A block must be passed when defining an initializer",
    "railties/lib/rails/initializable.rb",
    ["A block must be passed when defining an initializer", "def initializer("],
  ],
  [
    "message",
    "Restricted attribute names:",
    `${SUPPORT}/current_attributes.rb`,
    ["Restricted attribute names:", "def attribute("],
  ],
  [
    "message",
    "Pass the with: keyword argument or provide a block",
    `${SUPPORT}/rescuable.rb`,
    ["Pass the with: keyword argument or provide a block", "def rescue_from("],
  ],
  [
    "message",
    "is not a supported parallelization executor",
    `${SUPPORT}/testing/parallelize_executor.rb`,
    ["is not a supported parallelization executor", "def build_parallel_executor"],
  ],
  ["topic", "retry job on exception", "activejob/lib/active_job/exceptions.rb", ["def retry_on("]],
  ["topic", "valid authenticity token", FORGERY, ["def valid_authenticity_token?("]],
  ["topic", "insert all", `${RECORD}/insert_all.rb`, ["class InsertAll"]],
];

/** All questions, twenty of each repository. */
export const QUESTIONS: readonly Question[] = [
  ...VITE.map((row) => question("vite", row)),
  ...PYTEST.map((row) => question("pytest", row)),
  ...RAILS.map((row) => question("rails", row)),
];

function question(repo: Repository["name"], [kind, known, path, evidence]: Row): Question {
  return { repo, kind, known, path, evidence };
}
