import { BOUNDS, counted } from "../bounds.js";
import { emptyRecord, none, oneList, type Reading, type RecordValue } from "../record.js";
import { readLogfmt } from "./logfmt.js";
import { typeTexts } from "./type-texts.js";

/** A kind of log: how a line of it is told, and its fields. */
interface LogShape {
  name: string;
  /** The fields of a line, nothing for a line of another kind. */
  read(line: string): RecordValue | undefined;
  /** Whether lines that begin no entry belong to the one before: stack traces. */
  further: "joined" | "none";
}

/** Lines that the kind is told from, and the share of them that it must read. */
const SAMPLE_LINES = 200;
const SHARE = 0.8;
/** Where entries have further lines, fewer begin one. */
const JOINED_SHARE = 0.1;
/** Longer lines are read as they are, without fields. */
const LONGEST_LINE = 32 * 1024;

const LEVEL =
  "TRACE|DEBUG|INFO|INFORMATION|NOTICE|WARN|WARNING|ERROR|ERR|CRITICAL|CRIT|ALERT|EMERG|FATAL|SEVERE|FINE|FINER|FINEST|CONFIG|VERBOSE|PANIC";
const ISO_TIME = "\\d{4}[-/]\\d\\d[-/]\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d{1,9})?(?: ?(?:Z|[+-]\\d\\d:?\\d\\d))?";
const QUOTED = '"((?:[^"\\\\]|\\\\.)*)"';

function fieldsBy(pattern: RegExp, names: readonly string[]): LogShape["read"] {
  return (line) => {
    const match = pattern.exec(line);
    if (!match) return undefined;
    const record = emptyRecord();
    for (const [at, name] of names.entries()) {
      const value = match[at + 1];
      if (value !== undefined && value !== "" && value !== "-") record[name] = value;
    }
    return record;
  };
}

const ACCESS = fieldsBy(
  new RegExp(
    `^(\\S+) (\\S+) (\\S+) \\[([^\\]]{1,40})\\] ${QUOTED} (\\d{3}|-) (\\d+|-)(?: ${QUOTED} ${QUOTED})?(?: (.*))?$`,
  ),
  ["client", "ident", "user", "timestamp", "request", "status", "bytes", "referrer", "user_agent", "extra"],
);

function readAccess(line: string): RecordValue | undefined {
  const record = ACCESS(line);
  const request = /^([A-Z]{3,16}) (\S+)(?: (HTTP\/[\d.]+))?$/.exec(String(record?.request ?? ""));
  if (!record || !request) return record;
  record.method = request[1];
  record.path = request[2];
  if (request[3]) record.protocol = request[3];
  delete record.request;
  return record;
}

const APPLICATION_START = new RegExp(`^\\[?(${ISO_TIME})\\]?[ \\t:|-]*(.*)$`);
/** Before the level stand at most three of: a thread in brackets, a name, a process number. */
const APPLICATION_LEVEL = new RegExp(
  `^((?:(?:\\[[^\\]]{1,100}\\]|[^\\s[\\]|]{1,100})[ \\t|]{1,8}(?:[-|:]{1,3}[ \\t]{1,8})?){0,3}?)[\\[(<]?(${LEVEL})\\b[\\])>]?:?(?:[ \\t|:-]+(.*))?$`,
  "i",
);

/** `2024-05-01 12:00:01,123 LEVEL [thread] logger - message` with its parts in any usual order. */
function readApplication(line: string): RecordValue | undefined {
  const start = APPLICATION_START.exec(line);
  const level = start && APPLICATION_LEVEL.exec(start[2]!);
  if (!level) return undefined;
  const record = emptyRecord();
  record.timestamp = start[1];
  record.level = level[2];
  const before = level[1]!.trim().replace(/[\s|:-]+$/, "");
  let rest = level[3] ?? "";
  const thread = /^\[([^\]]{1,100})\]\s*(.*)$/.exec(before) ?? /^\[([^\]]{1,100})\]:?\s+(.*)$/.exec(rest);
  if (thread) {
    record.thread = thread[1];
    if (before.startsWith("[")) record.logger = thread[2];
    else rest = thread[2]!;
  } else record.logger = before;
  const named = /^(?:---\s+)?(?:\[[^\]]{1,100}\]\s+)?([\w.$/-]{2,200})\s*(?: -+|:)\s+(.*)$/.exec(rest);
  if (!record.logger && named) {
    record.logger = named[1];
    rest = named[2]!;
  }
  if (!record.logger) delete record.logger;
  record.message = rest;
  return record;
}

/** The kinds, the more special ones first. */
const SHAPES: readonly LogShape[] = [
  { name: "access log", read: readAccess, further: "none" },
  {
    name: "syslog (RFC 5424)",
    read: fieldsBy(
      /^<(\d{1,3})>1 (\S{1,40}) (\S{1,255}) (\S{1,48}) (\S{1,128}) (\S{1,32}) (-|(?:\[(?:[^\]\\]|\\.)*\])+)(?: \ufeff?(.*))?$/,
      ["priority", "timestamp", "host", "program", "pid", "message_id", "data", "message"],
    ),
    further: "none",
  },
  {
    name: "syslog (RFC 3164)",
    read: fieldsBy(
      /^(?:<(\d{1,3})>)?([A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d) (\S+) ([^\s:[]{1,100})(?:\[(\d+)\])?: ?(.*)$/,
      ["priority", "time", "host", "program", "pid", "message"],
    ),
    further: "none",
  },
  {
    name: "error log (Apache)",
    read: fieldsBy(
      /^\[([A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d(?:\.\d{1,6})? \d{4})\] \[(?:([\w-]*):)?(\w+)\] (?:\[pid (\d+)[^\]]*\] )?(?:\[client ([^\]\s]+)\] )?(.*)$/,
      ["timestamp", "module", "level", "pid", "client", "message"],
    ),
    further: "joined",
  },
  {
    name: "error log (nginx)",
    read: fieldsBy(/^(\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d) \[(\w+)\] (\d+)#(\d+): (?:\*(\d+) )?(.*)$/, [
      ...["timestamp", "level", "pid", "thread", "connection", "message"],
    ]),
    further: "joined",
  },
  { name: "application log", read: readApplication, further: "joined" },
  {
    name: "syslog (ISO time)",
    read: fieldsBy(new RegExp(`^(${ISO_TIME}) (\\S+) ([^\\s:[]{1,100})(?:\\[(\\d+)\\])?: (.*)$`), [
      ...["timestamp", "host", "program", "pid", "message"],
    ]),
    further: "none",
  },
  {
    name: "timed log",
    read: fieldsBy(new RegExp(`^\\[?(${ISO_TIME})\\]?[:,]? (?![\\d.]+$)([^,;\\t]{0,16}.*)$`), ["timestamp", "message"]),
    further: "none",
  },
  { name: "logfmt", read: readLogfmt, further: "none" },
];

/** Names of the kinds of logs, for the documentation. */
export const LOG_SHAPES: readonly string[] = SHAPES.map(({ name }) => name);

/** A log of one of the kinds, with its name. */
export function readLog(text: string): { reading: Reading; reader: string } {
  const lines = firstLines(text);
  const shape = lines.length < 2 ? undefined : SHAPES.find((each) => isOfShape(each, lines));
  return shape
    ? { reading: readEntries(text, shape), reader: shape.name }
    : { reading: none("its lines are those of no known log"), reader: "" };
}

function isOfShape({ read, further }: LogShape, lines: string[]): boolean {
  const hits = lines.filter((line) => line.length <= LONGEST_LINE && read(line) !== undefined).length;
  if (hits < 2) return false;
  return further === "joined"
    ? read(lines[0]!) !== undefined && hits >= lines.length * JOINED_SHARE
    : hits >= lines.length * SHARE;
}

/** Every line is kept: one of no kind as the `message` of a record of its own, or as a further line. */
function readEntries(text: string, { read, further }: LogShape): Reading {
  const records: RecordValue[] = [];
  let [loose, left] = [0, 0];
  let more: string[] = [];
  let moreChars = 0;
  const join = (): void => {
    if (more.length > 0) joinLines(records.at(-1)!, more);
    more = [];
    moreChars = 0;
  };
  for (const line of linesOf(text)) {
    const record = line.length > LONGEST_LINE ? undefined : read(line);
    if (record) {
      join();
      if (records.length >= BOUNDS.records) left++;
      else records.push(record);
    } else if (line.trim() === "" && more.length === 0) continue;
    else if (further === "joined" && records.length > 0 && moreChars + line.length < BOUNDS.entryChars) {
      more.push(line);
      moreChars += line.length;
    } else if (records.length < BOUNDS.records) {
      join();
      records.push(Object.assign(emptyRecord(), { message: line }));
      loose++;
    } else left++;
  }
  join();
  const notes = [
    ...(loose > 0 ? [`${counted(loose, "line")} of another kind ${loose === 1 ? "is" : "are"} kept as message`] : []),
    ...(left > 0 ? [`${counted(left, "line")} beyond ${BOUNDS.records} records were left out`] : []),
  ];
  return oneList(typeTexts(records), notes);
}

/** Further lines are a stack trace when they look like one, else part of the message. */
function joinLines(record: RecordValue, more: string[]): void {
  while (more.at(-1)?.trim() === "") more.pop();
  const text = more.join("\n");
  if (/^\s*(at \S|Traceback \(|File "|Caused by:|\.{3} \d+ more|[\w.$]+(Exception|Error)\b)/m.test(text))
    record.stack_trace = text;
  else if (text !== "") record.message = `${record.message ?? ""}\n${text}`;
}

function firstLines(text: string): string[] {
  const lines: string[] = [];
  for (const line of linesOf(text)) {
    if (line.trim() !== "") lines.push(line);
    if (lines.length >= SAMPLE_LINES) break;
  }
  return lines;
}

/** Lines without their ends. */
export function* linesOf(text: string): Generator<string> {
  for (let at = text.charCodeAt(0) === 0xfeff ? 1 : 0; at < text.length; ) {
    const feed = text.indexOf("\n", at);
    const end = feed < 0 ? text.length : feed;
    yield text.slice(at, text.charCodeAt(end - 1) === 13 && end > at ? end - 1 : end);
    at = end + 1;
  }
}
