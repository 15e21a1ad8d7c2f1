import { afterEach, beforeEach } from "vitest";
import { Client } from "../../client/index.js";
import { FakeNode } from "./fake-node.js";

/** A node and a client that speaks to it. */
export interface FakeNodeWithClient {
  node: FakeNode;
  client: Client;
}

/** Starts a node before each test of a file, gives it with its client to `take`, and stops both behind the test. */
export function fakeNodeForEach(take: (made: FakeNodeWithClient) => void): void {
  let made: FakeNodeWithClient | undefined;
  beforeEach(async () => {
    const node = await FakeNode.start();
    made = { node, client: new Client({ url: node.url }) };
    take(made);
  });
  afterEach(async () => {
    made?.client.close();
    await made?.node.stop();
  });
}
