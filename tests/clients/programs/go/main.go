// One round with go-elasticsearch: flows URL INDEX FIXTURE
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"

	"github.com/elastic/go-elasticsearch/v8"
	"github.com/elastic/go-elasticsearch/v8/esapi"
	"github.com/elastic/go-elasticsearch/v8/esutil"
)

type object = map[string]any

type book struct {
	Title string `json:"title"`
	Tag   string `json:"tag"`
	Year  int    `json:"year"`
}

type round struct {
	client   *elasticsearch.Client
	index    string
	books    []book
	mappings json.RawMessage
}

type searchAnswer struct {
	ScrollID string `json:"_scroll_id"`
	Hits     struct {
		Total object `json:"total"`
		Hits  []struct {
			Source    book                `json:"_source"`
			Highlight map[string][]string `json:"highlight"`
			Sort      []any               `json:"sort"`
		} `json:"hits"`
	} `json:"hits"`
	Aggregations struct {
		Tags struct {
			Buckets []struct {
				Key   string `json:"key"`
				Count int    `json:"doc_count"`
				Years struct {
					Value float64 `json:"value"`
				} `json:"years"`
			} `json:"buckets"`
		} `json:"tags"`
	} `json:"aggregations"`
}

// read decodes an answer; one that is an error becomes an error.
func read(response *esapi.Response, err error, into any) error {
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.IsError() {
		return fmt.Errorf("%s %s", response.Status(), text)
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(text, into)
}

func equal(found, expected any) error {
	if !reflect.DeepEqual(found, expected) {
		return fmt.Errorf("%v is not %v", found, expected)
	}
	return nil
}

func body(value any) io.Reader {
	return esutil.NewJSONReader(value)
}

func (r round) count(index string) (int, error) {
	var found struct {
		Count int `json:"count"`
	}
	response, err := r.client.Count(r.client.Count.WithIndex(index))
	err = read(response, err, &found)
	return found.Count, err
}

func (r round) expectCount(index string, expected int) error {
	found, err := r.count(index)
	if err != nil {
		return err
	}
	return equal(found, expected)
}

func (r round) create() error {
	response, err := r.client.Indices.Create(r.index, r.client.Indices.Create.WithBody(body(object{"mappings": r.mappings})))
	if err := read(response, err, nil); err != nil {
		return err
	}
	response, err = r.client.Indices.Exists([]string{r.index})
	return read(response, err, nil)
}

func (r round) putMappings() error {
	properties := object{"properties": object{"note": object{"type": "keyword"}}}
	response, err := r.client.Indices.PutMapping([]string{r.index}, body(properties))
	if err := read(response, err, nil); err != nil {
		return err
	}
	note, err := r.fieldType(r.index, "note")
	if err != nil {
		return err
	}
	return equal(note, "keyword")
}

func (r round) fieldType(index, field string) (string, error) {
	var found map[string]struct {
		Mappings struct {
			Properties map[string]struct {
				Type string `json:"type"`
			} `json:"properties"`
		} `json:"mappings"`
	}
	response, err := r.client.Indices.GetMapping(r.client.Indices.GetMapping.WithIndex(index))
	err = read(response, err, &found)
	return found[index].Mappings.Properties[field].Type, err
}

func (r round) bulk() error {
	indexer, err := esutil.NewBulkIndexer(esutil.BulkIndexerConfig{
		Client: r.client, Index: r.index, NumWorkers: 2, FlushBytes: 600, Refresh: "true",
	})
	if err != nil {
		return err
	}
	var failure error
	for _, one := range r.books {
		text, _ := json.Marshal(one)
		err := indexer.Add(context.Background(), esutil.BulkIndexerItem{
			Action: "index", DocumentID: fmt.Sprint(one.Year), Body: bytes.NewReader(text),
			OnFailure: func(_ context.Context, _ esutil.BulkIndexerItem, item esutil.BulkIndexerResponseItem, err error) {
				failure = fmt.Errorf("%v %v", err, item.Error)
			},
		})
		if err != nil {
			return err
		}
	}
	if err := indexer.Close(context.Background()); err != nil {
		return err
	}
	if failure != nil {
		return failure
	}
	if err := equal(int(indexer.Stats().NumFlushed), len(r.books)); err != nil {
		return err
	}
	return r.expectCount(r.index, len(r.books))
}

func (r round) ask(index string, request object) (searchAnswer, error) {
	var found searchAnswer
	options := []func(*esapi.SearchRequest){r.client.Search.WithBody(body(request))}
	if index != "" {
		options = append(options, r.client.Search.WithIndex(index))
	}
	response, err := r.client.Search(options...)
	err = read(response, err, &found)
	return found, err
}

func (r round) search() error {
	found, err := r.ask(r.index, object{
		"query": object{"bool": object{
			"must":   []object{{"match": object{"title": "fox"}}},
			"filter": []object{{"range": object{"year": object{"lt": 2000}}}},
		}},
		"sort":      []object{{"year": "desc"}},
		"highlight": object{"fields": object{"title": object{}}},
	})
	if err != nil {
		return err
	}
	if err := equal(found.Hits.Total, object{"value": 5.0, "relation": "eq"}); err != nil {
		return err
	}
	first := found.Hits.Hits[0]
	if !strings.Contains(first.Highlight["title"][0], "<em>fox</em>") {
		return fmt.Errorf("not highlighted: %v", first.Highlight)
	}
	return equal(first.Source.Year, 1998)
}

func (r round) aggregations() error {
	years := object{"years": object{"avg": object{"field": "year"}}}
	terms := object{"field": "tag", "order": object{"_key": "asc"}}
	found, err := r.ask(r.index, object{"size": 0, "aggs": object{"tags": object{"terms": terms, "aggs": years}}})
	if err != nil {
		return err
	}
	text := ""
	for _, bucket := range found.Aggregations.Tags.Buckets {
		text += fmt.Sprintf("%s %d %v,", bucket.Key, bucket.Count, bucket.Years.Value)
	}
	return equal(text, "t0 10 2003.5,t1 10 2004.5,t2 10 2005.5,")
}

func (r round) scroll() error {
	var page searchAnswer
	search := r.client.Search
	response, err := search(search.WithIndex(r.index), search.WithSize(7), search.WithScroll(60_000_000_000))
	seen := map[int]bool{}
	for {
		page = searchAnswer{}
		if err := read(response, err, &page); err != nil {
			return err
		}
		if len(page.Hits.Hits) == 0 {
			break
		}
		for _, hit := range page.Hits.Hits {
			seen[hit.Source.Year] = true
		}
		scroll := r.client.Scroll
		response, err = scroll(scroll.WithScrollID(page.ScrollID), scroll.WithScroll(60_000_000_000))
	}
	response, err = r.client.ClearScroll(r.client.ClearScroll.WithScrollID(page.ScrollID))
	if err := read(response, err, nil); err != nil {
		return err
	}
	return equal(len(seen), len(r.books))
}

func (r round) pit() error {
	var opened struct {
		ID string `json:"id"`
	}
	response, err := r.client.OpenPointInTime([]string{r.index}, "1m")
	if err := read(response, err, &opened); err != nil {
		return err
	}
	seen := 0
	request := object{"size": 8, "sort": []object{{"year": "asc"}}, "pit": object{"id": opened.ID, "keep_alive": "1m"}}
	for {
		page, err := r.ask("", request)
		if err != nil {
			return err
		}
		hits := page.Hits.Hits
		if len(hits) == 0 {
			break
		}
		for _, hit := range hits {
			if err := equal(hit.Source, r.books[seen]); err != nil {
				return err
			}
			seen++
		}
		request["search_after"] = hits[len(hits)-1].Sort
	}
	if err := equal(seen, len(r.books)); err != nil {
		return err
	}
	response, err = r.client.ClosePointInTime(r.client.ClosePointInTime.WithBody(body(object{"id": opened.ID})))
	return read(response, err, nil)
}

func (r round) aliases() error {
	alias, old := r.index+"-alias", r.index+"-old"
	response, err := r.client.Indices.PutAlias([]string{r.index}, old)
	if err := read(response, err, nil); err != nil {
		return err
	}
	add := object{"index": r.index, "alias": alias, "filter": object{"term": object{"tag": "t0"}}}
	remove := object{"index": r.index, "alias": old}
	actions := object{"actions": []object{{"add": add}, {"remove": remove}}}
	response, err = r.client.Indices.UpdateAliases(body(actions))
	if err := read(response, err, nil); err != nil {
		return err
	}
	return r.expectCount(alias, 10)
}

func (r round) templates() error {
	part, made, name := r.index+"-part", r.index+"-made-1", r.index+"-template"
	properties := object{"from_part": object{"type": "keyword"}}
	template := object{"template": object{"mappings": object{"properties": properties}}}
	response, err := r.client.Cluster.PutComponentTemplate(part, body(template))
	if err := read(response, err, nil); err != nil {
		return err
	}
	composed := object{"index_patterns": []string{r.index + "-made-*"}, "composed_of": []string{part}, "priority": 700}
	response, err = r.client.Indices.PutIndexTemplate(name, body(composed))
	if err := read(response, err, nil); err != nil {
		return err
	}
	response, err = r.client.Index(made, body(object{"n": 1}), r.client.Index.WithRefresh("true"))
	if err := read(response, err, nil); err != nil {
		return err
	}
	found, err := r.fieldType(made, "from_part")
	if err != nil {
		return err
	}
	if err := equal(found, "keyword"); err != nil {
		return err
	}
	response, err = r.client.Indices.DeleteIndexTemplate(name)
	if err := read(response, err, nil); err != nil {
		return err
	}
	response, err = r.client.Cluster.DeleteComponentTemplate(part)
	return read(response, err, nil)
}

func (r round) reindex() error {
	request := object{"source": object{"index": r.index}, "dest": object{"index": r.index + "-copy"}}
	response, err := r.client.Reindex(body(request), r.client.Reindex.WithRefresh(true))
	if err := read(response, err, nil); err != nil {
		return err
	}
	return r.expectCount(r.index+"-copy", len(r.books))
}

func (r round) byQuery() error {
	var updated, deleted struct {
		Updated int `json:"updated"`
		Deleted int `json:"deleted"`
	}
	update := r.client.UpdateByQuery
	response, err := update([]string{r.index}, update.WithConflicts("proceed"), update.WithRefresh(true))
	if err := read(response, err, &updated); err != nil {
		return err
	}
	query := object{"query": object{"term": object{"tag": "t2"}}}
	remove := r.client.DeleteByQuery
	response, err = remove([]string{r.index}, body(query), remove.WithRefresh(true))
	if err := read(response, err, &deleted); err != nil {
		return err
	}
	return equal([]int{updated.Updated, deleted.Deleted}, []int{len(r.books), 10})
}

func (r round) remove() error {
	response, err := r.client.Delete(r.index, "1990")
	if err := read(response, err, nil); err != nil {
		return err
	}
	response, err = r.client.Indices.Delete([]string{r.index})
	if err := read(response, err, nil); err != nil {
		return err
	}
	response, err = r.client.Indices.Exists([]string{r.index})
	if err != nil {
		return err
	}
	return equal(response.StatusCode, 404)
}

func report(flow string, err error) {
	if err == nil {
		fmt.Printf("%s\tok\t\n", flow)
		return
	}
	outcome := "failed"
	why := strings.Join(strings.Fields(err.Error()), " ")
	if strings.Contains(why, "is not supported by Pinakes") {
		outcome = "refused"
	}
	fmt.Printf("%s\t%s\t%s\n", flow, outcome, why)
}

func main() {
	var fixture struct {
		Books    []book          `json:"books"`
		Mappings json.RawMessage `json:"mappings"`
	}
	text, err := os.ReadFile(os.Args[3])
	if err == nil {
		err = json.Unmarshal(text, &fixture)
	}
	if err != nil {
		panic(err)
	}
	client, err := elasticsearch.NewClient(elasticsearch.Config{Addresses: []string{os.Args[1]}})
	if err != nil {
		panic(err)
	}
	r := round{client: client, index: os.Args[2], books: fixture.Books, mappings: fixture.Mappings}
	report("create", r.create())
	report("mappings", r.putMappings())
	report("bulk", r.bulk())
	report("search", r.search())
	report("aggregations", r.aggregations())
	report("scroll", r.scroll())
	report("pit", r.pit())
	report("aliases", r.aliases())
	report("templates", r.templates())
	report("reindex", r.reindex())
	report("by-query", r.byQuery())
	report("delete", r.remove())
}
