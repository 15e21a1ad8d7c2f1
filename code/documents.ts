/**
 * What lies in the code indices: the documents that `autoindex` writes and that every code search reads.
 *
 * All offsets are UTF-8 bytes of the decoded text, all lines are 1-based and inclusive. A `blob` is git's object id of
 * the file's original bytes (SHA-1 of `blob <length>\0` + bytes, 40 hex digits), computed also where there is no git.
 * A `span` is the SHA-1 of the declaration's own text (40 hex digits); locators carry the first 12 digits of both.
 */

/** Index names; `repo` is a field, so one set of indices holds every folder. */
export const INDEX = {
  files: "pinakes-files",
  declarations: "pinakes-decls",
  references: "pinakes-refs",
  catalog: "pinakes-catalog",
  commits: "pinakes-commits",
  /** Followed by the data set's name. */
  dataPrefix: "pinakes-data-",
} as const;

/** The class of a file, used by ranking and filters. */
export type FileClass = "source" | "test" | "vendored" | "generated" | "build" | "config" | "docs" | "data";

/** What every document of the code indices has in common. */
export interface CodeDocument {
  /** Name of the indexed folder's repository: the folder's base name unless git says otherwise. */
  repo: string;
  /** Path inside the repository, `/` separated. */
  path: string;
  language: string;
  class: FileClass;
  blob: string;
  /** Branches that have this blob at this path: those of work trees, and those read out of the object database. */
  branches: string[];
  /**
   * Whether a folder on disk has it now (of a bare repository: the branch that HEAD names). `false`: only other branches
   * have it, so that searches leave it out unless they ask for a branch. Absent in documents of earlier versions.
   */
  in_tree?: boolean;
  /**
   * Of a file in an archive: the path of the archive on disk. `path` is then `archive.zip!/path/inside`, and `blob` that
   * of the file inside. Absent in all others.
   */
  container?: string;
}

/** One per file; `_id` = hash of repo, path and blob. */
export interface FileDocument extends CodeDocument {
  /** Base name of the path. */
  name: string;
  /** Original size in bytes. */
  size: number;
  lines: number;
  encoding: string;
  /**
   * What the file is: `text` where the body is the file's own text; else what the text was made from (`pdf`, `docx`,
   * `notebook`, ...; offsets and lines are then of that text) or what has none (`zip`, `png`, `elf`, `binary`, ...).
   */
  format: string;
  /** Names declared in the file, in order, without duplicates. */
  symbols: string[];
  /** Modules, paths and packages that it imports, as they are written, sorted; absent where there are none. */
  imports?: string[];
  /** Decoded text. */
  body: string;
  /**
   * Whether declarations were read: by a grammar, line by line by patterns, as sections, as windows only, or only in part
   * (parse errors or limits).
   */
  parsed: "grammar" | "outline" | "sections" | "windows" | "partial" | "none";
}

/** What a declaration is. `route` is a path that a server answers, by its method where that is written; `section` is a heading's section in prose, `window` a run of lines in no declaration. */
export type DeclarationKind =
  | "function"
  | "method"
  | "constructor"
  | "class"
  | "struct"
  | "interface"
  | "trait"
  | "enum"
  | "module"
  | "namespace"
  | "constant"
  | "variable"
  | "field"
  | "property"
  | "type"
  | "macro"
  | "test"
  | "route"
  | "section"
  | "window";

/** One per declaration, section or window; `_id` = hash of repo, path, blob and byte range. */
export interface DeclarationDocument extends CodeDocument {
  kind: DeclarationKind;
  /** Own name; for windows the file's base name, for sections the heading. */
  name: string;
  /** Container path joined by `.`: `Server.start`; for windows the path of the enclosing file. */
  qualified_name: string;
  /** First line(s) up to the body, whitespace collapsed; empty for windows. */
  signature: string;
  /** Words of the documentation: of the comment above, or of the docstring inside. */
  docstring: string;
  /**
   * The comment above as it is written, whole lines without the last line feed, when `docstring` was read from it: line
   * `i` (from 0) of it is line `doc_start_line + i` of the file. Empty when there is none or it lies inside the range.
   */
  comment: string;
  /** First line of `comment`; `start_line` when there is none. */
  doc_start_line: number;
  code: string;
  start_byte: number;
  end_byte: number;
  start_line: number;
  end_line: number;
  span: string;
  /** `path:start-end#qualified.name@blob12~span12`, see locator.ts. */
  locator: string;
  /**
   * Names that its own text, without that of declarations inside, calls or instantiates; sorted, absent where there are
   * none. The lines of each are in the references index.
   */
  calls?: string[];
  /** Names that it imports, inherits or uses as types, likewise. */
  uses?: string[];
  /** Of what is like a class: names that it inherits or implements, likewise. */
  supers?: string[];
}

/** How a name is referred to. */
export type ReferenceKind = "call" | "import" | "inherit" | "instantiate" | "type";

/**
 * What one declaration of a file, or its top level, refers to by name; what inner declarations refer to is theirs. `_id` =
 * hash of repo, path, blob, and the first place's byte range and kind. A declaration that refers to very much has several
 * of these, each with some of it.
 */
export interface ReferenceDocument extends CodeDocument {
  /** Qualified name of the enclosing declaration, empty at top level; of an inheritance, of what inherits. */
  enclosing: string;
  /** The names, sorted, each once. */
  name: string[];
  /** How they are referred to, sorted, each once: `edges` say which name goes with which kind. */
  kind: ReferenceKind[];
  /** Where the first place begins in the text, in UTF-8 bytes. */
  start_byte: number;
  /**
   * Shown, never searched: `call 12:345,14:402 parseQuery`, one a name, kind and certainty, with the line and first byte
   * of all places, in the order of the first ones; see reference-edge.ts. Absent in documents of earlier versions.
   */
  edges?: string[];
}

/** What a commit did to a file, as git's letters say it (added, copied, deleted, modified, renamed, type changed). */
export type ChangeStatus = "A" | "C" | "D" | "M" | "R" | "T";

/** One per commit of an indexed branch; `_id` = hash of repo and sha. */
export interface CommitDocument {
  repo: string;
  sha: string;
  parents: string[];
  author: string;
  author_email: string;
  committer: string;
  /** ISO 8601, when it was written and when it was put in. */
  author_date: string;
  commit_date: string;
  subject: string;
  body: string;
  /** Paths it touched, the new one of a rename; at most some hundreds, `files_count` has them all. */
  files: string[];
  /** `M src/a.ts`, in the order of `files`. */
  changes: string[];
  files_count: number;
  insertions: number;
  deletions: number;
  /** Indexed branches that have it; none where only a detached HEAD leads to it. */
  branches: string[];
  /** Object databases that it was read from, and what branches each has it on. */
  stores: string[];
  claims: Record<string, string[]>;
  /** Lines it added and removed, without the marks; cut at some ten thousand characters. Absent where there are none. */
  added?: string;
  removed?: string;
  /** Whether `added`, `removed` or `files` are cut. */
  is_cut: boolean;
}

/** What branches of an object database hold at one path: one blob, and who names it. */
export interface StoredVersion {
  blob: string;
  branches: string[];
  version: string;
  language: string;
  /** As of a file entry. */
  status: string;
  detail: string;
  size: number;
  declarations: number;
  /** As of a file entry. */
  documents?: number[];
}

/** Who is writing a folder's documents: one run at a time may. */
export interface FolderHolder {
  /** The run's own id, told from any other. */
  run: string;
  host: string;
  /** Hash of the machine as the process sees it (host name, boot, process namespace): a `pid` means something only in it. */
  machine: string;
  pid: number;
  /** When it began, ISO 8601. */
  since: string;
  /** Counts up while it lives. */
  beat: number;
  /** `watch`: it keeps the folder and brings it up to date as files change. Absent before there were watchers. */
  does?: "index" | "watch";
}

/** The manifest: one catalog document per file met (`entry: "file"`), per folder, per name taken and per data set. */
export type CatalogDocument =
  | {
      entry: "file";
      root: string;
      repo: string;
      path: string;
      size: number;
      mtime_ms: number;
      /** Time of the last change of content or attributes, and the file's number: with size and `mtime_ms` they tell an edit. */
      ctime_ms: number;
      inode: string;
      blob: string;
      /** Extractor and grammar version that made the documents; another one means: read again. */
      version: string;
      language: string;
      /** `indexed`, or why not: see autoindex/skip.ts for the list of reasons. */
      status: string;
      detail: string;
      declarations: number;
      /** Names of the data sets that the file became, empty when it is no list of records. */
      datasets: string[];
      /** Records of all of them. */
      records: number;
      /** What read it as records (`table`, `json lines`, ...); empty when nothing did. */
      reader: string;
      /** Why it is no list of records, or what of the records was left out; empty when there is nothing to say. */
      records_note: string;
      /** The branch that its documents name, empty when there was none or it has no documents. */
      branch: string;
      /**
       * Documents of files, declarations and references that it has in the index, so that a loss shows. Absent in entries
       * of earlier versions and where there are none.
       */
      documents?: number[];
    }
  | {
      entry: "folder";
      root: string;
      repo: string;
      files: number;
      declarations: number;
      records: number;
      skipped: Record<string, number>;
      /** When the last run that came to its end did so; null before the first has. */
      finished_at: string | null;
      /**
       * `unfinished`: a run is under way or was cut off, so that documents may lie in the index that no file entry
       * knows of. Absent in entries of earlier versions, which were there only when finished.
       */
      state?: "finished" | "unfinished";
      /** Who is at it now; null or absent when nobody is. */
      holder?: FolderHolder | null;
      /** Branch (empty when detached), commit and `origin` (without credentials) of the work tree, as the last run saw them. */
      branch?: string;
      commit?: string;
      remote?: string;
      /** The object database of its branches: git's shared folder, with `:prefix/` for a folder below the top. */
      store?: string;
    }
  /**
   * A repository name that is taken; its `_id` follows from the name, so that it can be taken only once. Work trees and
   * clones of one repository (equal `identity`) share it, other folders never do; `root` is one of those that have it.
   */
  | { entry: "name"; root: string; repo: string; identity?: string }
  /** Held while documents of a shared name are written, by the rules of a folder entry; `root` is `repo:` and the name. */
  | { entry: "lock"; root: string; repo: string; holder?: FolderHolder | null }
  /** Branches that are indexed out of an object database, `root` being its store. */
  | {
      entry: "repository";
      root: string;
      repo: string;
      /** Names and patterns that were asked for. */
      wanted: string[];
      /** What they were at the last run that came to its end: `<commit> <name>`. */
      heads: string[];
      /** Branch whose files count as lying in a folder (HEAD of a bare repository), else empty. */
      tree_branch: string;
      state: "finished" | "unfinished";
      /** Commits kept as documents: a number, `all` or `none`; empty when none were asked for yet. */
      history: string;
      /** Heads of the commits that are there, as `heads`. */
      history_heads: string[];
      /** Commits that were there after the last run, so that a loss shows; absent in entries of earlier versions. */
      commits?: number;
    }
  /** What those branches hold at a path. */
  | { entry: "versions"; root: string; repo: string; path: string; versions: StoredVersion[] }
  | {
      entry: "dataset";
      root: string;
      repo: string;
      path: string;
      dataset: string;
      /** Table, sheet or key of the file; empty when the file is one list. */
      part: string;
      index: string;
      /** What read it: `table`, `json lines`, `access log`, ... */
      reader: string;
      records: number;
      /** Names of the fields that can be searched. */
      fields: string[];
      /** What is known of each of them, in the same order. */
      schema: DatasetField[];
      /** The field that says when a record happened, with its first and last moment (ISO 8601); empty when there is none. */
      time_field: string;
      time_min: string | null;
      time_max: string | null;
      /** Pairs of fields that are a place on earth. */
      geo: { latitude: string; longitude: string }[];
      /** Requests that can be sent to `index` as they are. */
      queries: DatasetQuery[];
      /** What was left out or taken in a certain way. */
      notes: string[];
    }
  /** Fields of a folder's data sets that hold the same values, the strongest first. */
  | { entry: "correlations"; root: string; repo: string; path: string; correlations: FieldCorrelation[] };

/** What is known of one field of a data set. */
export interface DatasetField {
  /** Path inside the record, with dots. */
  name: string;
  type: "long" | "double" | "boolean" | "date" | "ip" | "keyword" | "text";
  /** Elasticsearch's format of a date. */
  format?: string;
  /** What the values are beside their type. */
  entity?: string;
  /** Long prose, worth searching by meaning. */
  semantic?: boolean;
  /** Values, those of arrays one by one. */
  present: number;
  /** Share of records without one. */
  null_share: number;
  /** Different values; an estimate from some hundreds on. */
  distinct: number;
  /** Of numbers as they are, of dates in ISO 8601. */
  min?: number | string;
  max?: number | string;
  examples: string[];
  /** The smallest hashes of the values (autoindex/records/schema/sketch.ts), for fields that may be keys. */
  sketch?: string;
  note?: string;
}

/** A request on a data set, with what it is good for. */
export interface DatasetQuery {
  title: string;
  /** Body of a `_search`. */
  body: Record<string, unknown>;
}

/** Two fields of which the first one's values are found in the second. */
export interface FieldCorrelation {
  from: { dataset: string; field: string };
  to: { dataset: string; field: string };
  /** Estimated share of the different values of `from` that `to` has. */
  share: number;
  /** The share the other way round. */
  reverse_share: number;
}
