import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { portHolder } from "./port-holder.js";

describe("the holder of a port", () => {
  it("is named by process and command", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    if (process.platform === "linux") expect(portHolder(address.port)?.pid).toBe(process.pid);
    await new Promise((resolve) => server.close(resolve));
    expect(portHolder(address.port)).toBeUndefined();
  });
});
