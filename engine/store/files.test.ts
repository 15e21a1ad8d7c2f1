import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { lockDirectory } from "./directory-lock.js";
import { nodeFiles } from "./files.js";
import { encodeSmallFile, readSmallFile, replaceFile } from "./small-file.js";
import { hex, temporaryFolder } from "./testing.js";

const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString();
const bytes = (value: string) => new TextEncoder().encode(value);

describe("nodeFiles", () => {
  it("writes and reads at positions, also more parts than one system call takes", () => {
    const file = nodeFiles.open(path.join(temporaryFolder(), "a"), "create");
    const parts = Array.from({ length: 2500 }, (_, i) => bytes(`${i},`));
    file.writeAt(bytes("head:"), 0);
    file.writev(parts, 5);
    const all = `head:${parts.map(text).join("")}`;
    expect(file.size()).toBe(all.length);
    const into = new Uint8Array(all.length + 10);
    expect(file.readAt(into, 0)).toBe(all.length);
    expect(text(into.subarray(0, all.length))).toBe(all);
    file.truncate(4);
    expect(file.readAt(into, 2)).toBe(2);
    file.sync();
    file.close();
  });

  it("names operation and path when something fails", () => {
    const file = path.join(temporaryFolder(), "none");
    expect(() => nodeFiles.open(file, "read")).toThrow(
      expect.objectContaining({ code: "io", message: expect.stringContaining(`cannot open ${file}`) }),
    );
    expect(nodeFiles.stat(file)).toBeUndefined();
    expect(nodeFiles.list(file)).toEqual([]);
    nodeFiles.unlink(file);
  });
});

describe("small file", () => {
  it("lies in the bytes that the format's comment shows", () => {
    expect(Buffer.from(encodeSmallFile(bytes("abc"))).toString("hex")).toBe(hex("504b5346 03000000 f3c945c2 616263"));
  });

  it("is replaced as a whole and refuses the damage of any byte", () => {
    const file = path.join(temporaryFolder(), "a");
    expect(readSmallFile(nodeFiles, file)).toBeUndefined();
    replaceFile(nodeFiles, file, bytes("old"));
    replaceFile(nodeFiles, file, bytes("the new one"));
    expect(text(readSmallFile(nodeFiles, file))).toBe("the new one");
    const good = readFileSync(file);
    for (let at = 0; at < good.length; at++) {
      const bad = Buffer.from(good);
      bad[at] ^= 0x10;
      writeFileSync(file, bad);
      expect(() => readSmallFile(nodeFiles, file), `byte ${at}`).toThrow(expect.objectContaining({ code: "corrupt" }));
    }
  });
});

describe("directory lock", () => {
  it("refuses a second holder, naming process and folder, until it is given back", () => {
    const folder = temporaryFolder();
    const unlock = lockDirectory(folder);
    expect(() => lockDirectory(folder)).toThrow(
      expect.objectContaining({ code: "data_folder_locked", message: expect.stringContaining(`${process.pid}`) }),
    );
    expect(() => lockDirectory(folder)).toThrow(folder);
    unlock();
    lockDirectory(folder)();
    expect(nodeFiles.list(folder)).toEqual([]);
  });

  it("refuses a folder that another process holds", async () => {
    const folder = temporaryFolder();
    const holder = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000); console.log('up')"]);
    onTestFinished(() => void holder.kill());
    await new Promise((resolve) => holder.stdout.once("data", resolve));
    writeFileSync(path.join(folder, "node.lock"), `${holder.pid}\n`);
    expect(() => lockDirectory(folder)).toThrow(`process ${holder.pid}`);
  });

  it("takes over the lock of a process that is gone", () => {
    const folder = temporaryFolder();
    const gone = execFileSync(process.execPath, ["-p", "process.pid"]).toString().trim();
    writeFileSync(path.join(folder, "node.lock"), `${gone} 12345\n`);
    lockDirectory(folder)();
  });

  // Elsewhere the start time of a process is not to be had.
  if (process.platform === "linux") {
    it("takes over the lock of a killed process that its parent has not waited for", () => {
      const folder = temporaryFolder();
      // `sleep` takes the shell's place and never waits for the shell's child, which ends only then and stays a zombie.
      const child = 'while [ "$(cat /proc/$$/comm)" = sh ]; do :; done';
      const parent = spawn("sh", ["-c", `(${child}) & echo $! > ${folder}/pid; exec sleep 60`]);
      try {
        let stat: string[] = [];
        while (stat[0] !== "Z") {
          const file = path.join(folder, "pid");
          const pid = existsSync(file) ? readFileSync(file, "utf8").trim() : "";
          if (pid === "") continue;
          const line = readFileSync(`/proc/${pid}/stat`, "latin1");
          stat = line.slice(line.lastIndexOf(")") + 2).split(" ");
          writeFileSync(path.join(folder, "node.lock"), `${pid} ${stat[19]}\n`);
        }
        lockDirectory(folder)();
      } finally {
        parent.kill();
      }
    });

    it("takes over a lock whose process number another process has now", () => {
      const folder = temporaryFolder();
      writeFileSync(path.join(folder, "node.lock"), `${process.pid} 1\n`);
      lockDirectory(folder)();
    });
  }
});
