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
  /** Followed by the data set's name. */
  dataPrefix: "pinakes-data-",
} as const;

/** The class of a file, used by ranking and filters. */
export type FileClass = "source" | "test" | "vendored" | "generated" | "config" | "docs" | "data";

/** What every document of the code indices has in common. */
export interface CodeDocument {
  /** Name of the indexed folder's repository: the folder's base name unless git says otherwise. */
  repo: string;
  /** Path inside the repository, `/` separated. */
  path: string;
  language: string;
  class: FileClass;
  blob: string;
  branches: string[];
}

/** One per file; `_id` = hash of repo, path and blob. */
export interface FileDocument extends CodeDocument {
  /** Base name of the path. */
  name: string;
  /** Original size in bytes. */
  size: number;
  lines: number;
  encoding: string;
  /** Names declared in the file, in order, without duplicates. */
  symbols: string[];
  /** Decoded text. */
  body: string;
  /** Whether declarations were read: by a grammar, as sections, as windows only, or only in part (parse errors or limits). */
  parsed: "grammar" | "sections" | "windows" | "partial" | "none";
}

/** What a declaration is. `section` is a heading's section in prose, `window` a run of lines in no declaration. */
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
}

/** Call, import or inheritance, with the declaration around it; `_id` = hash of repo, path, blob, byte range and kind. */
export interface ReferenceDocument extends CodeDocument {
  kind: "call" | "import" | "inherit" | "instantiate" | "type";
  name: string;
  /** Qualified name of the enclosing declaration, empty at top level. */
  enclosing: string;
  line: number;
  start_byte: number;
  /** `exact`: the tree says so; `heuristic`: read from text. */
  certainty: "exact" | "heuristic";
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
      /** Data set name when the file became records. */
      dataset: string;
      records: number;
      /** The branch that its documents name, empty when there was none or it has no documents. */
      branch: string;
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
    }
  /** A repository name that is taken by a folder; its `_id` follows from the name, so that it can be taken only once. */
  | { entry: "name"; root: string; repo: string }
  | {
      entry: "dataset";
      root: string;
      repo: string;
      path: string;
      dataset: string;
      index: string;
      records: number;
      fields: string[];
    };
