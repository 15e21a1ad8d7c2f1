#!/usr/bin/env bash
# Runs the tests that cross modules once on a newer long-term Node: the npm package `node` carries its binaries.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

(cd "$work" && npm init -y >/dev/null && npm install --no-audit --no-fund --silent node@24)
newer="$work/node_modules/.bin/node"
"$newer" --version
cd "$root"
PATH="$work/node_modules/.bin:$PATH" "$newer" node_modules/vitest/vitest.mjs run tests engine/kernels engine/wal engine/segment
