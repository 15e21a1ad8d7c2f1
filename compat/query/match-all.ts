import { readShape } from "../body/shape.js";
import { common, querySkeleton, type ReadClause } from "./clause.js";

const ALL = querySkeleton("match_all", {});
const NONE = querySkeleton("match_none", {});

export const readMatchAll: ReadClause = (body) => ({ kind: "match_all", ...common(readShape(body, ALL)) });

export const readMatchNone: ReadClause = (body) => ({ kind: "match_none", ...common(readShape(body, NONE)) });
