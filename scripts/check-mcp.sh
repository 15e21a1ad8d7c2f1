#!/usr/bin/env bash
# Asks two programs of the protocol's own makers whether `pinakes mcp` speaks it: the conformance suite over HTTP, the
# inspector over stdio and over HTTP. They need a newer Node, whose binaries the npm package `node` carries.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
running=()
ended() {
  for pid in "${running[@]}"; do kill "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  rm -rf "$work"
}
trap ended EXIT

cd "$work"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent node@24 \
  @modelcontextprotocol/conformance@0.1.16 @modelcontextprotocol/inspector-cli@1.0.3
bin="$work/node_modules/.bin"
# The inspector looks for its own package file two folders up, where only its development tree has one.
cp node_modules/@modelcontextprotocol/{inspector-cli/package.json,package.json}
program="$root/bin/pinakes.js"

# The address that a program prints when it listens.
address() {
  for _ in $(seq 150); do
    if grep -oE 'http://127\.0\.0\.1:[0-9]+[/a-z]*' "$1" | head -1 | grep .; then return; fi
    sleep 0.2
  done
  echo "it did not start: $(cat "$1")" >&2
  return 1
}

node "$program" serve --data "$work/data" --port 0 2>"$work/node.log" & running+=($!)
node_url=$(address "$work/node.log")
mkdir "$work/code" && cp "$root"/code/*.ts "$work/code"
node "$program" autoindex "$work/code" --url "$node_url" >/dev/null 2>&1
node "$program" mcp --url "$node_url" --http 0 2>"$work/mcp.log" & running+=($!)
mcp_url=$(address "$work/mcp.log")

"$bin/node" "$bin/conformance" server --url "$mcp_url" --suite all \
  --expected-failures "$root/tests/conformance/mcp-not-applicable.yml" | sed -n '/=== SUMMARY/,$p'

# Runs the inspector and looks for a text in what it prints: inspect TEXT SERVER... -- ARGUMENT...
inspect() {
  local wanted=$1 answer
  shift
  answer=$(PATH="$bin:$PATH" "$bin/node" "$bin/mcp-inspector-cli" "$@" 2>"$work/inspector.log") || {
    cat "$work/inspector.log" >&2
    return 1
  }
  grep -qF -- "$wanted" <<<"$answer" || { echo "the inspector did not print $wanted but: $answer" >&2; return 1; }
  echo "✓ inspector: ${*: -4}"
}
over_stdio=(--cli "$(command -v node)" "$program" mcp --url "$node_url")
over_http=(--cli "$mcp_url" --transport http)
inspect '"readOnlyHint": true' "${over_stdio[@]}" --method tools/list
inspect 'excerpt.ts' "${over_stdio[@]}" --method tools/call --tool-name search --tool-arg query=def:excerpt
inspect 'wholeCharacters' "${over_stdio[@]}" --method tools/call --tool-name read --tool-arg path=excerpt.ts
inspect 'typescript' "${over_stdio[@]}" --method tools/call --tool-name map --tool-arg max_tokens=500
inspect '"readOnlyHint": true' "${over_http[@]}" --method tools/list
inspect 'excerpt.ts' "${over_http[@]}" --method tools/call --tool-name search --tool-arg query=def:excerpt
