import { BoundReached } from "../limits.js";
import type { ArchiveFormat } from "../tell.js";
import type { ArchiveBudget } from "./budget.js";
import type { MemberContent } from "./content.js";
import { isTar } from "./is-tar.js";
import { LeftOut } from "./left-out.js";
import { memberPath } from "./member-path.js";
import { tarMembers } from "./tar.js";
import { type Packing, unpack } from "./unpack.js";
import { listZip } from "./zip.js";

/** A file out of an archive. */
export interface Member {
  /** Inside the archive. */
  path: string;
  bytes: Buffer;
  /** Whether it is all that was packed: `people.csv.gz` is as good as `people.csv`. */
  isAlone: boolean;
}

/** An archive that is being read. */
export interface OpenArchive {
  /** Its files, in order; each is to be used before the next is asked for. Never throws for what is in the archive. */
  members: AsyncGenerator<Member>;
  /** What was left out; whole when the members are at their end. */
  leftOut: LeftOut;
}

/** Opens an archive; `name` is its base name, which a single packed file is called after. */
export function openArchive(
  archive: { format: ArchiveFormat; bytes: Buffer; name: string },
  budget: ArchiveBudget,
): OpenArchive {
  const leftOut = new LeftOut();
  return { members: membersOf(archive, budget, leftOut), leftOut };
}

async function* membersOf(
  archive: { format: ArchiveFormat; bytes: Buffer; name: string },
  budget: ArchiveBudget,
  leftOut: LeftOut,
): AsyncGenerator<Member> {
  const seen = new Set<string>();
  try {
    for await (const { name, content, isAlone = false } of rawMembers(archive, budget, leftOut)) {
      budget.countMember();
      const place = memberPath(name);
      if (place.kind === "left out") leftOut.add(place.reason, name);
      else if (content.kind === "left out") leftOut.add(content.reason, name);
      else if (content.bytes.length > budget.maxMemberBytes) leftOut.add("too large", name);
      else if (seen.has(place.path)) leftOut.add("another one has its path", name);
      else {
        seen.add(place.path);
        yield { path: place.path, bytes: content.bytes, isAlone };
      }
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    leftOut.say(error instanceof BoundReached ? `read in part: ${reason}` : `damaged: ${reason.slice(0, 200)}`);
  }
}

interface RawMember {
  name: string;
  content: MemberContent;
  isAlone?: boolean;
}

async function* rawMembers(
  { format, bytes, name }: { format: ArchiveFormat; bytes: Buffer; name: string },
  budget: ArchiveBudget,
  leftOut: LeftOut,
): AsyncGenerator<RawMember> {
  if (format === "zip") yield* zipMembers(bytes, budget, leftOut);
  else if (format === "tar") yield* tarMembers(bytes, budget.deadline);
  else yield* packedMembers(format, { bytes, name }, budget, leftOut);
}

async function* zipMembers(bytes: Buffer, budget: ArchiveBudget, leftOut: LeftOut): AsyncGenerator<RawMember> {
  const { members, damage } = await listZip(bytes, budget.deadline);
  if (damage !== undefined) leftOut.say(`damaged: ${damage}`);
  for (const member of members) {
    if (member.isFolder) continue;
    const content = await member.read(Math.min(budget.left, budget.maxMemberBytes));
    if (content.kind === "bytes") budget.spend(content.bytes.length);
    else if (content.reason === "too large" && member.size <= budget.maxMemberBytes) {
      throw new BoundReached("it unpacks to more than the bound");
    }
    yield { name: member.name, content };
  }
}

async function* packedMembers(
  format: Packing,
  { bytes, name }: { bytes: Buffer; name: string },
  budget: ArchiveBudget,
  leftOut: LeftOut,
): AsyncGenerator<RawMember> {
  const { bytes: unpacked, cut } = await unpack(format, bytes, { limit: budget.left, deadline: budget.deadline });
  budget.spend(unpacked.length);
  if (cut !== undefined) leftOut.say(cut);
  if (isTar(unpacked)) yield* tarMembers(unpacked, budget.deadline);
  else if (unpacked.length > 0 || cut === undefined) {
    yield { name: unpackedName(name), content: { kind: "bytes", bytes: unpacked }, isAlone: true };
  }
}

/** `notes.txt.gz` holds `notes.txt`; what is not called so holds `content`. */
function unpackedName(name: string): string {
  const plain = name.replace(/\.(?:gz|z|xz|zst|zstd|bz2)$/i, "");
  if (plain !== name && plain !== "") return plain;
  return /\.svgz$/i.test(name) ? name.slice(0, -1) : "content";
}
