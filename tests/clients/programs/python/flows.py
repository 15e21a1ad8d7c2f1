"""One round with a Python client: python3 flows.py URL INDEX FIXTURE PACKAGE, where PACKAGE is elasticsearch or opensearchpy."""

import importlib
import json
import sys

URL, INDEX, FIXTURE, PACKAGE = sys.argv[1:5]
MODULE = importlib.import_module(PACKAGE)
HELPERS = importlib.import_module(f"{PACKAGE}.helpers")
IS_OPENSEARCH = PACKAGE == "opensearchpy"
CLIENT = MODULE.OpenSearch(URL) if IS_OPENSEARCH else MODULE.Elasticsearch(URL)
with open(FIXTURE, encoding="utf-8") as file:
    READ = json.load(file)
BOOKS, MAPPINGS = READ["books"], READ["mappings"]


def body(**members):
    """Members of a body in the client's own style."""
    return {"body": members} if IS_OPENSEARCH else members


def document(source):
    return {"body": source} if IS_OPENSEARCH else {"document": source}


def equal(found, expected):
    if found != expected:
        raise AssertionError(f"{found!r} is not {expected!r}")


def count(index):
    return CLIENT.count(index=index)["count"]


def create():
    CLIENT.indices.create(index=INDEX, **body(mappings=MAPPINGS))
    equal(bool(CLIENT.indices.exists(index=INDEX)), True)


def mappings():
    CLIENT.indices.put_mapping(index=INDEX, **body(properties={"note": {"type": "keyword"}}))
    found = CLIENT.indices.get_mapping(index=INDEX)
    equal(found[INDEX]["mappings"]["properties"]["note"], {"type": "keyword"})


def bulk():
    actions = [{"_index": INDEX, "_id": str(book["year"]), "_source": book} for book in BOOKS]
    equal(HELPERS.bulk(CLIENT, actions, chunk_size=7, refresh=True), (len(BOOKS), []))
    equal(count(INDEX), len(BOOKS))


def search():
    query = {"bool": {"must": [{"match": {"title": "fox"}}], "filter": [{"range": {"year": {"lt": 2000}}}]}}
    asked = body(query=query, sort=[{"year": "desc"}], highlight={"fields": {"title": {}}})
    found = CLIENT.search(index=INDEX, **asked)["hits"]
    equal(found["total"], {"value": 5, "relation": "eq"})
    equal(found["hits"][0]["_source"]["year"], 1998)
    equal("<em>fox</em>" in found["hits"][0]["highlight"]["title"][0], True)


def aggregations():
    years = {"years": {"avg": {"field": "year"}}}
    aggs = {"tags": {"terms": {"field": "tag", "order": {"_key": "asc"}}, "aggs": years}}
    found = CLIENT.search(index=INDEX, **body(size=0, aggs=aggs))["aggregations"]["tags"]["buckets"]
    buckets = [(one["key"], one["doc_count"], one["years"]["value"]) for one in found]
    equal(buckets, [("t0", 10, 2003.5), ("t1", 10, 2004.5), ("t2", 10, 2005.5)])


def scroll():
    hits = HELPERS.scan(CLIENT, index=INDEX, query={"query": {"match_all": {}}}, size=7)
    equal(len({hit["_source"]["year"] for hit in hits}), len(BOOKS))


def pit():
    if IS_OPENSEARCH:
        opened = CLIENT.create_pit(index=INDEX, params={"keep_alive": "1m"})["pit_id"]
    else:
        opened = CLIENT.open_point_in_time(index=INDEX, keep_alive="1m")["id"]
    seen, after = [], {}
    while True:
        asked = body(size=8, sort=[{"year": "asc"}], pit={"id": opened, "keep_alive": "1m"}, **after)
        hits = CLIENT.search(**asked)["hits"]["hits"]
        if not hits:
            break
        seen += [hit["_source"]["year"] for hit in hits]
        after = {"search_after": hits[-1]["sort"]}
    equal(seen, [book["year"] for book in BOOKS])
    if IS_OPENSEARCH:
        CLIENT.delete_pit(body={"pit_id": [opened]})
    else:
        equal(CLIENT.close_point_in_time(id=opened)["succeeded"], True)


def aliases():
    alias, old = f"{INDEX}-alias", f"{INDEX}-old"
    CLIENT.indices.put_alias(index=INDEX, name=old)
    add = {"index": INDEX, "alias": alias, "filter": {"term": {"tag": "t0"}}}
    CLIENT.indices.update_aliases(**body(actions=[{"add": add}, {"remove": {"index": INDEX, "alias": old}}]))
    equal(count(alias), 10)
    equal(list(CLIENT.indices.get_alias(index=INDEX)[INDEX]["aliases"]), [alias])


def templates():
    part, made = f"{INDEX}-part", f"{INDEX}-made-1"
    template = {"mappings": {"properties": {"from_part": {"type": "keyword"}}}}
    CLIENT.cluster.put_component_template(name=part, **body(template=template))
    asked = body(index_patterns=[f"{INDEX}-made-*"], composed_of=[part], priority=700)
    CLIENT.indices.put_index_template(name=f"{INDEX}-template", **asked)
    CLIENT.index(index=made, id="1", refresh=True, **document({"n": 1}))
    found = CLIENT.indices.get_mapping(index=made)[made]["mappings"]["properties"]
    equal(found["from_part"], {"type": "keyword"})
    CLIENT.indices.delete_index_template(name=f"{INDEX}-template")
    CLIENT.cluster.delete_component_template(name=part)


def reindex():
    """By the client's own helper (a scan and a bulk), and by the node."""
    equal(HELPERS.reindex(CLIENT, INDEX, f"{INDEX}-helped", chunk_size=7), (len(BOOKS), 0))
    CLIENT.indices.refresh(index=f"{INDEX}-helped")
    equal(count(f"{INDEX}-helped"), len(BOOKS))
    done = CLIENT.reindex(refresh=True, **body(source={"index": INDEX}, dest={"index": f"{INDEX}-copy"}))
    equal(done["created"], len(BOOKS))
    equal(count(f"{INDEX}-copy"), len(BOOKS))


def by_query():
    equal(CLIENT.update_by_query(index=INDEX, conflicts="proceed", refresh=True)["updated"], len(BOOKS))
    deleted = CLIENT.delete_by_query(index=INDEX, refresh=True, **body(query={"term": {"tag": "t2"}}))
    equal(deleted["deleted"], 10)


def delete():
    equal(CLIENT.delete(index=INDEX, id="1990")["result"], "deleted")
    CLIENT.indices.delete(index=INDEX)
    equal(bool(CLIENT.indices.exists(index=INDEX)), False)


FLOWS = [create, mappings, bulk, search, aggregations, scroll, pit, aliases, templates, reindex, by_query, delete]

for flow in FLOWS:
    outcome, why = "ok", ""
    try:
        flow()
    except Exception as error:  # whatever a client throws is the finding
        more = getattr(error, "body", None) or getattr(error, "info", "")
        why = " ".join(f"{type(error).__name__}: {error} {more}".split())[:400]
        outcome = "refused" if "is not supported by Pinakes" in why else "failed"
    print(f"{flow.__name__.replace('_', '-')}\t{outcome}\t{why}", flush=True)
