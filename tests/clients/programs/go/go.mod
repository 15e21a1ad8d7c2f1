module clients

go 1.21

require github.com/elastic/go-elasticsearch/v8 v8.19.0
