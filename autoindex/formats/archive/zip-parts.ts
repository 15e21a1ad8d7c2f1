import { decode } from "../../sniff/decode.js";
import { BoundReached, type Deadline, LIMITS } from "../limits.js";
import { listZip, type ZipMember } from "./zip.js";

/**
 * The parts of an office document or a book, which are files in a zip. All parts that are read share one bound of
 * unpacked bytes.
 */
export class ZipParts {
  #left: number = LIMITS.unpackedBytes;

  private constructor(
    private readonly members: ReadonlyMap<string, ZipMember>,
    readonly damage: string | undefined,
  ) {}

  /** Reads the list of parts. */
  static async open(bytes: Buffer, deadline: Deadline): Promise<ZipParts> {
    const { members, damage } = await listZip(bytes, deadline);
    return new ZipParts(new Map(members.map((member) => [member.name.replace(/^\//, ""), member])), damage);
  }

  /** Names of all parts, in their order. */
  get names(): string[] {
    return [...this.members.keys()];
  }

  has(name: string): boolean {
    return this.members.has(name);
  }

  /** The text of a part; nothing when there is no such part. Throws when it is damaged or too large. */
  async text(name: string): Promise<string | undefined> {
    const member = this.members.get(name);
    if (!member) return undefined;
    const content = await member.read(Math.min(LIMITS.partBytes, this.#left));
    if (content.kind === "left out") throw new BoundReached(`its part ${name} is ${content.reason}`);
    this.#left -= content.bytes.length;
    const decoded = decode(content.bytes);
    if (decoded.kind === "binary") throw new BoundReached(`its part ${name} is no text`);
    return decoded.text;
  }
}
