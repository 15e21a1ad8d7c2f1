import { afterAll, beforeAll, expect, test } from "vitest";
import { fakeEngine } from "./testing/fake-engine.js";
import { type TestServer, testServer } from "./testing/http.js";
let s: TestServer;
beforeAll(async () => { s = await testServer(fakeEngine()); });
afterAll(() => s.close());
test("smoke", async () => {
  for (const [m, p, b, h] of [
    ["GET", "/"], ["HEAD", "/"], ["PUT", "/i", {mappings:{properties:{a:{type:"keyword"},"b.c":{type:"long"},t:{type:"text",fields:{raw:{type:"keyword"}}}}},aliases:{al:{}}}], ["GET","/i?pretty"],
    ["PUT","/i/_doc/1?refresh=true",{a:"x"}], ["GET","/i/_doc/1"],["GET","/i/_doc/2"],["POST","/_bulk",'{"index":{"_index":"i","_id":"7"}}\n{"a":"y"}\n{"create":{"_index":"i","_id":"7"}}\n{"a":"y"}\n{"delete":{"_index":"j","_id":"7"}}\n{"update":{"_index":"j","_id":"7"}}\n{"doc":{}}\n'],
    ["GET","/i/_search",{query:{term:{a:"y"}}}],["GET","/_search?filter_path=hits.hits._id"],["GET","/nope/_search"],["GET","/_search",{foo:1}],["GET","/_search",{query:{trem:{}}}],["GET","/_search",'{"query":'],
    ["GET","/_cat/indices?v"],["GET","/_cat/indices?format=json"],["GET","/_cat/health?v"],["GET","/_cluster/health"],["GET","/_nodes/_all/http"],["GET","/_search?foo=1"],["GET","/_search?siz=1"],["PATCH","/_search"],["GET","/a/b/c"],["GET","/_async_search/1"],["OPTIONS","/_search"],
    ["GET","/i/_field_caps?fields=*"],["GET","/_alias"],["GET","/_stats"],["POST","/i/_pit?keep_alive=1m"],["POST","/i/_search?scroll=1m&size=1"],["GET","/_cat/shards"],["GET", "/_search", '{"query":{"match_all":{}}}', {host:"evil.com"}],["GET","/",undefined,{origin:"http://x.y"}], ["POST","/i/_delete_by_query",{query:{match_all:{}}}], ["GET","/_search","x",{"content-type":"text/plain"}],
  ] as [string,string,unknown?,Record<string,string>?][]) {
    const r = await s.call(m, p, b, h);
    console.log(m, p, r.status, JSON.stringify(r.headers["content-type"]), r.text.slice(0, 700));
  }
  expect(1).toBe(1);
});
