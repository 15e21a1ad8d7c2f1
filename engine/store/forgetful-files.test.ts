import { describe, expect, it } from "vitest";
import { ForgetfulFiles } from "./forgetful-files.js";
import { readSmallFile, replaceFile } from "./small-file.js";

const bytes = (value: string) => new TextEncoder().encode(value);

function contents(files: ForgetfulFiles, file: string): string {
  const handle = files.open(file, "read");
  const into = new Uint8Array(handle.size());
  handle.readAt(into, 0);
  return new TextDecoder().decode(into);
}

describe("ForgetfulFiles", () => {
  it("forget bytes that were not synced, and names whose folder was not", () => {
    const files = new ForgetfulFiles();
    const a = files.open("/d/a", "create");
    a.writeAt(bytes("kept"), 0);
    a.sync();
    files.syncDirectory("/d");
    a.writeAt(bytes("lost"), 4);
    files.open("/d/b", "create").sync();
    expect(files.list("/d")).toEqual(["a", "b"]);
    files.crash();
    expect(files.list("/d")).toEqual(["a"]);
    expect(contents(files, "/d/a")).toBe("kept");
  });

  it("bring back a removed file whose folder was not synced", () => {
    const files = new ForgetfulFiles();
    files.open("/d/a", "create").sync();
    files.syncDirectory("/d");
    files.unlink("/d/a");
    files.crash();
    expect(files.stat("/d/a")).toEqual({ size: 0, modifiedMs: 0, directory: false });
  });

  it("can keep a part of what was appended", () => {
    const files = new ForgetfulFiles();
    const a = files.open("/d/a", "create");
    files.syncDirectory("/d");
    a.writeAt(bytes("0123456789"), 0);
    files.crash(() => 0.3);
    expect(contents(files, "/d/a")).toBe("012");
  });

  it("fail at the step they are told to, so that a replaced file is old or new", () => {
    for (const failing of ["open", "write", "sync", "rename", "sync folder"]) {
      const files = new ForgetfulFiles();
      replaceFile(files, "/d/a", bytes("old"));
      files.before = (step) => {
        if (step === failing) throw new Error(`no ${step}`);
      };
      expect(() => replaceFile(files, "/d/a", bytes("new")), failing).toThrow(`no ${failing}`);
      files.before = () => {};
      files.crash();
      expect(new TextDecoder().decode(readSmallFile(files, "/d/a")), failing).toBe("old");
    }
  });
});
