import { createTarDecoder } from "modern-tar";
import type { Deadline } from "../limits.js";
import type { MemberContent } from "./content.js";

/** A file in a tar, or what else has a name there. */
export interface TarMember {
  name: string;
  content: MemberContent;
}

/** The members of a tar, folders aside, in their order. Throws where it is damaged; those before have been given by then. */
export async function* tarMembers(bytes: Buffer, deadline: Deadline): AsyncGenerator<TarMember> {
  const source = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes);
      controller.close();
    },
  });
  const reader = source.pipeThrough(createTarDecoder({ strict: true })).getReader();
  try {
    for (;;) {
      const { done, value } = await deadline.within(reader.read());
      if (done) return;
      const content = await deadline.within(collect(value.body));
      const { name, type = "file" } = value.header;
      if (type === "file") yield { name, content: { kind: "bytes", bytes: content } };
      else if (type !== "directory") yield { name, content: { kind: "left out", reason: `a ${type}` } };
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

async function collect(body: ReadableStream<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
}
