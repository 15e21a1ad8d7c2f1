// One round with elasticsearch-java: java -cp JARS Flows.java URL INDEX FIXTURE

import co.elastic.clients.elasticsearch.ElasticsearchClient;
import co.elastic.clients.elasticsearch._helpers.bulk.BulkIngester;
import co.elastic.clients.elasticsearch._types.Conflicts;
import co.elastic.clients.elasticsearch._types.ElasticsearchException;
import co.elastic.clients.elasticsearch._types.FieldValue;
import co.elastic.clients.elasticsearch._types.Refresh;
import co.elastic.clients.elasticsearch._types.SortOrder;
import co.elastic.clients.elasticsearch._types.query_dsl.Query;
import co.elastic.clients.elasticsearch.core.search.Hit;
import co.elastic.clients.json.jackson.JacksonJsonpMapper;
import co.elastic.clients.transport.rest_client.RestClientTransport;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.http.HttpHost;
import org.elasticsearch.client.RestClient;

public class Flows {
    public record Book(String title, String tag, int year) {}

    interface Flow {
        void run() throws Exception;
    }

    private final ElasticsearchClient client;
    private final String index;
    private final List<Book> books = new ArrayList<>();
    private final String mappings;

    Flows(ElasticsearchClient client, String index, JsonNode fixture) throws Exception {
        this.client = client;
        this.index = index;
        for (JsonNode book : fixture.get("books")) books.add(new ObjectMapper().treeToValue(book, Book.class));
        mappings = fixture.get("mappings").toString();
    }

    static void equal(Object found, Object expected) {
        if (!Objects.equals(found, expected)) throw new AssertionError(found + " is not " + expected);
    }

    void create() throws Exception {
        client.indices().create(c -> c.index(index).mappings(m -> m.withJson(new StringReader(mappings))));
        equal(client.indices().exists(e -> e.index(index)).value(), true);
    }

    void putMappings() throws Exception {
        client.indices().putMapping(p -> p.index(index).properties("note", n -> n.keyword(k -> k)));
        var found = client.indices().getMapping(g -> g.index(index)).get(index).mappings().properties();
        equal(found.get("note").isKeyword(), true);
    }

    void bulk() throws Exception {
        try (BulkIngester<Void> ingester = BulkIngester.of(b -> b.client(client).maxOperations(7))) {
            for (Book book : books)
                ingester.add(op -> op.index(i -> i.index(index).id(String.valueOf(book.year())).document(book)));
        }
        client.indices().refresh(r -> r.index(index));
        equal(count(index), (long) books.size());
    }

    long count(String name) throws Exception {
        return client.count(c -> c.index(name)).count();
    }

    void search() throws Exception {
        Query old = Query.of(q -> q.range(r -> r.number(n -> n.field("year").lt(2000.0))));
        var found = client.search(s -> s.index(index)
            .query(q -> q.bool(b -> b.must(m -> m.match(t -> t.field("title").query("fox"))).filter(old)))
            .sort(o -> o.field(f -> f.field("year").order(SortOrder.Desc)))
            .highlight(h -> h.fields("title", f -> f)), Book.class);
        equal(found.hits().total().value(), 5L);
        Hit<Book> first = found.hits().hits().get(0);
        equal(first.source().year(), 1998);
        equal(first.highlight().get("title").get(0).contains("<em>fox</em>"), true);
    }

    void aggregations() throws Exception {
        var found = client.search(s -> s.index(index).size(0).aggregations("tags", a -> a
            .terms(t -> t.field("tag").order(List.of(co.elastic.clients.util.NamedValue.of("_key", SortOrder.Asc))))
            .aggregations("years", y -> y.avg(v -> v.field("year")))), Void.class);
        var text = new StringBuilder();
        for (var bucket : found.aggregations().get("tags").sterms().buckets().array())
            text.append(bucket.key().stringValue()).append(' ').append(bucket.docCount()).append(' ')
                .append(bucket.aggregations().get("years").avg().value()).append(',');
        equal(text.toString(), "t0 10 2003.5,t1 10 2004.5,t2 10 2005.5,");
    }

    void scroll() throws Exception {
        Set<Integer> seen = new HashSet<>();
        var first = client.search(s -> s.index(index).size(7).scroll(t -> t.time("1m")), Book.class);
        List<Hit<Book>> hits = first.hits().hits();
        String id = first.scrollId();
        while (!hits.isEmpty()) {
            for (Hit<Book> hit : hits) seen.add(hit.source().year());
            String last = id;
            var page = client.scroll(s -> s.scrollId(last).scroll(t -> t.time("1m")), Book.class);
            hits = page.hits().hits();
            id = page.scrollId();
        }
        String last = id;
        equal(client.clearScroll(c -> c.scrollId(last)).succeeded(), true);
        equal(seen.size(), books.size());
    }

    void pit() throws Exception {
        String id = client.openPointInTime(o -> o.index(index).keepAlive(t -> t.time("1m"))).id();
        List<Book> seen = new ArrayList<>();
        List<FieldValue> after = List.of();
        while (true) {
            List<FieldValue> from = after;
            var hits = client.search(s -> {
                s.size(8).sort(o -> o.field(f -> f.field("year"))).pit(p -> p.id(id).keepAlive(t -> t.time("1m")));
                return from.isEmpty() ? s : s.searchAfter(from);
            }, Book.class).hits().hits();
            if (hits.isEmpty()) break;
            for (Hit<Book> hit : hits) seen.add(hit.source());
            after = hits.get(hits.size() - 1).sort();
        }
        equal(seen, books);
        equal(client.closePointInTime(c -> c.id(id)).succeeded(), true);
    }

    void aliases() throws Exception {
        String alias = index + "-alias";
        String old = index + "-old";
        client.indices().putAlias(p -> p.index(index).name(old));
        Query filter = Query.of(q -> q.term(t -> t.field("tag").value("t0")));
        client.indices().updateAliases(u -> u
            .actions(a -> a.add(d -> d.index(index).alias(alias).filter(filter)))
            .actions(a -> a.remove(d -> d.index(index).alias(old))));
        equal(count(alias), 10L);
        equal(client.indices().getAlias(g -> g.index(index)).get(index).aliases().keySet(), Set.of(alias));
    }

    void templates() throws Exception {
        String part = index + "-part";
        String made = index + "-made-1";
        String name = index + "-template";
        client.cluster().putComponentTemplate(p -> p.name(part)
            .template(t -> t.mappings(m -> m.properties("from_part", f -> f.keyword(k -> k)))));
        client.indices().putIndexTemplate(p -> p.name(name)
            .indexPatterns(index + "-made-*").composedOf(part).priority(700L));
        client.index(i -> i.index(made).id("1").document(Map.of("n", 1)).refresh(Refresh.True));
        var found = client.indices().getMapping(g -> g.index(made)).get(made).mappings().properties();
        equal(found.get("from_part").isKeyword(), true);
        client.indices().deleteIndexTemplate(d -> d.name(name));
        client.cluster().deleteComponentTemplate(d -> d.name(part));
    }

    void reindex() throws Exception {
        String copy = index + "-copy";
        var done = client.reindex(r -> r.source(s -> s.index(index)).dest(d -> d.index(copy)).refresh(true));
        equal(done.created(), (long) books.size());
        equal(count(copy), (long) books.size());
    }

    void byQuery() throws Exception {
        var updated = client.updateByQuery(u -> u.index(index).conflicts(Conflicts.Proceed).refresh(true));
        equal(updated.updated(), (long) books.size());
        var deleted = client.deleteByQuery(d -> d.index(index).refresh(true)
            .query(q -> q.term(t -> t.field("tag").value("t2"))));
        equal(deleted.deleted(), 10L);
    }

    void delete() throws Exception {
        equal(client.delete(d -> d.index(index).id("1990")).result().jsonValue(), "deleted");
        client.indices().delete(d -> d.index(index));
        equal(client.indices().exists(e -> e.index(index)).value(), false);
    }

    static void report(String name, Flow flow) {
        String outcome = "ok";
        String why = "";
        try {
            flow.run();
        } catch (Exception | AssertionError error) {
            String more = error instanceof ElasticsearchException failed ? failed.response().toString() : "";
            why = (error + " " + more).replaceAll("\\s+", " ");
            outcome = why.contains("is not supported by Pinakes") ? "refused" : "failed";
        }
        System.out.println(name + "\t" + outcome + "\t" + why);
    }

    public static void main(String[] arguments) throws Exception {
        JsonNode fixture = new ObjectMapper().readTree(new File(arguments[2]));
        RestClient wire = RestClient.builder(HttpHost.create(arguments[0])).build();
        var transport = new RestClientTransport(wire, new JacksonJsonpMapper());
        Flows round = new Flows(new ElasticsearchClient(transport), arguments[1], fixture);
        report("create", round::create);
        report("mappings", round::putMappings);
        report("bulk", round::bulk);
        report("search", round::search);
        report("aggregations", round::aggregations);
        report("scroll", round::scroll);
        report("pit", round::pit);
        report("aliases", round::aliases);
        report("templates", round::templates);
        report("reindex", round::reindex);
        report("by-query", round::byQuery);
        report("delete", round::delete);
        transport.close();
    }
}
