import { expect, it } from "vitest";
import type { EngineFace, Index } from "../../engine/index.js";
import { onIndex } from "./gone.js";

const indexOf = (uuid: string) => ({ name: "x", definition: { uuid } }) as Index;
const engineWith = (index: () => Index | undefined) => ({ index }) as unknown as EngineFace;
const fail = () => Promise.reject(new Error("the disk"));

it("a failure on an index that is there is told, be it tried anew at each use", async () => {
  await expect(
    onIndex(
      engineWith(() => indexOf("u")),
      indexOf("u"),
      fail,
    ),
  ).rejects.toThrow("the disk");
});

it("a failure on an index that was deleted, or made anew, is that it is not there", async () => {
  for (const now of [undefined, indexOf("v")]) {
    await expect(
      onIndex(
        engineWith(() => now),
        indexOf("u"),
        fail,
      ),
    ).rejects.toMatchObject({ status: 404 });
  }
});
