/** From the shell: two nodes on one data folder, and a damaged index from its red health to its repair. */
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { flipBit } from "../engine/testing/damage.js";
import { pinakes, removeFolder, send, startTestNode, temporaryFolder, type WireReply } from "./support/node.js";
import { readOnlyCopy } from "./support/read-only.js";

function dataFolder(): string {
  const folder = temporaryFolder("damage");
  onTestFinished(() => removeFolder(folder));
  return folder;
}

function filesOfIndex(data: string, ending: string): string[] {
  const indices = path.join(data, "indices");
  const names = fs.readdirSync(indices, { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.endsWith(ending)).map((name) => path.join(indices, name));
}

function call(url: string, method: string, path: string, body?: object): Promise<WireReply> {
  return send(url, { method, path, body });
}

describe("two processes on one data folder", () => {
  it("the second is refused with the number of the first, whatever it is; the first goes on", async () => {
    const data = dataFolder();
    const node = await startTestNode(data);
    onTestFinished(() => node.kill().catch(() => {}));
    await call(node.url, "PUT", "/x/_doc/1", { n: 1 });
    const second = await pinakes(["serve", "--data", data, "--port", "0"]);
    expect(second).toMatchObject({ status: 1, stderr: expect.stringContaining(`in use by process ${node.pid}`) });
    for (const command of [["verify"], ["repair", "x", "--accept-loss"], ["repair", "--metadata"]]) {
      const refused = await pinakes([...command, "--data", data]);
      expect(refused, command.join(" ")).toMatchObject({
        status: 1,
        stderr: expect.stringContaining(`the node must not run meanwhile: process ${node.pid}`),
      });
    }
    expect((await call(node.url, "GET", "/x/_doc/1")).status).toBe(200);
    await node.stop();
    expect((await pinakes(["verify", "--data", data])).status).toBe(0);
  });
});

describe("a data folder that can't be written", () => {
  it("is verified without the lock, which is said, and served by nobody, which is said plainly", async (test) => {
    const data = dataFolder();
    const node = await startTestNode(data);
    await call(node.url, "PUT", "/x/_doc/1", { n: 1 });
    await node.stop();
    const copy = readOnlyCopy(data);
    if (!copy) return test.skip("this system does not let us mount a file system");
    onTestFinished(() => copy.remove());
    const why = new RegExp(`the data folder ${copy.folder} can't be written: [a-z -]+ \\(E[A-Z]+\\)`);
    const verified = await pinakes(["verify", "--data", copy.folder]);
    expect(verified).toMatchObject({ status: 0, stderr: "" });
    expect(verified.stdout).toMatch(why);
    expect(verified.stdout).toContain("it is read without its lock");
    expect(verified.stdout).toContain("1 segment with 1 document");
    const served = await pinakes(["serve", "--data", copy.folder, "--port", "0"]);
    expect(served).toMatchObject({ status: 1, stderr: expect.stringMatching(why) });
    expect((await pinakes(["up", copy.folder, "--data", copy.folder, "--port", "0"])).stderr).toMatch(why);
  });
});

describe("a damaged index", () => {
  it("is red, is found by verify, told about by repair, repaired, and green again without what was given up", async () => {
    const data = dataFolder();
    const first = await startTestNode(data);
    const settings = { settings: { number_of_replicas: 0 } };
    for (const index of ["good", "bad"]) {
      await call(first.url, "PUT", `/${index}`, settings);
      for (const id of ["1", "2", "3"]) await call(first.url, "PUT", `/${index}/_doc/${id}`, { index, id });
    }
    // Killed: everything is in the logs.
    await first.kill();
    const verified = await pinakes(["verify", "--data", data]);
    expect(verified).toMatchObject({ status: 0, stdout: expect.stringContaining("every byte is as it was written") });
    expect(verified.stdout).toMatch(
      /index bad \(.{22}\): 0 segments with 0 documents, 3 operations in the log, .*: sound/,
    );

    const logs = filesOfIndex(data, ".wal");
    const log = logs.find((file) => fs.readFileSync(file).includes('"index":"bad"')) as string;
    flipBit(log, fs.readFileSync(log).indexOf('"id":"2"') + 6);
    const found = await pinakes(["verify", "--data", data]);
    expect(found.status).toBe(1);
    expect(found.stdout).toContain("index good");
    expect(found.stdout).toContain(`${log} is damaged at byte`);
    expect(found.stdout).toContain("1 damaged: pinakes repair bad says what repairing would lose");

    const red = await startTestNode(data);
    const health = await call(red.url, "GET", "/_cluster/health");
    expect(health.json).toMatchObject({ status: "red" });
    const explained = await call(red.url, "GET", "/_cluster/allocation/explain");
    expect(explained.json).toMatchObject({ index: "bad", unassigned_info: { details: expect.stringContaining(log) } });
    expect((await call(red.url, "GET", "/bad/_search")).status).toBe(503);
    expect((await call(red.url, "GET", "/good/_count")).json).toMatchObject({ count: 3 });
    await red.stop();

    const told = await pinakes(["repair", "bad", "--data", data]);
    expect(told.status).toBe(1);
    expect(told.stdout).toContain("repairing it would give up:");
    expect(told.stdout).toContain("with operation 1, which no segment has");
    expect(told.stdout).toContain("nothing was changed; to do it: pinakes repair bad --accept-loss");
    expect((await pinakes(["verify", "bad", "--data", data])).status).toBe(1);

    const done = await pinakes(["repair", "bad", "--accept-loss", "--data", data]);
    expect(done.status).toBe(0);
    expect(done.stdout).toContain("the node can be started again");
    expect(fs.existsSync(`${log}.damaged`)).toBe(true);

    const green = await startTestNode(data);
    onTestFinished(() => green.kill().catch(() => {}));
    expect((await call(green.url, "GET", "/_cluster/health")).json).toMatchObject({ status: "green" });
    const documents = await call(green.url, "POST", "/bad/_search?sort=_doc", { query: { match_all: {} } });
    const ids = (documents.json as { hits: { hits: { _id: string }[] } }).hits.hits.map(({ _id }) => _id);
    expect(ids).toEqual(["1", "3"]);
    await call(green.url, "PUT", "/bad/_doc/2", { again: true });
    expect((await call(green.url, "POST", "/bad/_flush")).status).toBe(200);
    await green.stop();
    expect((await pinakes(["verify", "--data", data])).status).toBe(0);
    const sound = await pinakes(["repair", "bad", "--data", data]);
    expect(sound).toMatchObject({ status: 0, stdout: "index bad is sound: there is nothing to repair\n" });
  });

  it("is not repaired under a wrong name or without one", async () => {
    const data = dataFolder();
    const node = await startTestNode(data);
    await node.stop();
    expect(await pinakes(["repair", "none", "--data", data])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("no such index [none]"),
    });
    expect((await pinakes(["repair", "--data", data])).status).toBe(2);
    expect((await pinakes(["verify", "--data", path.join(data, "nowhere")])).stderr).toContain(
      "there is no data folder",
    );
  });
});
