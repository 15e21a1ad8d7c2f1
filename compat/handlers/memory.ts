/** `GET /_pinakes/memory`: the budget, what it is used for, and what was given back when it was short. */
import { json, type Reply } from "../http/reply.js";
import type { ApiRequest } from "../http/request.js";

export function memoryReport({ node }: ApiRequest): Reply {
  const { resources } = node.engine;
  const { breakers, ...parts } = resources.budget;
  return json({
    budget_in_bytes: { ...snakeCased(parts), breakers },
    used_in_bytes: snakeCased(node.engine.memory()),
    drained: resources.drains(),
  });
}

/** `arenaBytes` as `arena`, `blockCache` as `block_cache`. */
function snakeCased(numbers: object): Record<string, number> {
  return Object.fromEntries(
    Object.entries(numbers).map(([name, value]: [string, number]) => [
      name.replace(/Bytes$/, "").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}
