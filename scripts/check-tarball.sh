#!/usr/bin/env bash
# Packs the project, installs the tarball into an empty folder, indexes a small folder with it and searches.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'node "$work/app/node_modules/pinakes/bin/pinakes.js" stop --data "$work/data" >/dev/null 2>&1 || true; rm -rf "$work"' EXIT

mkdir -p "$work/app" "$work/code"
(cd "$root" && npm pack --silent --pack-destination "$work" >/dev/null)
printf 'export function greetTheWorld(name) {\n  return `hello ${name}`;\n}\n' >"$work/code/greet.js"
cd "$work/app"
npm init -y >/dev/null
npm install --no-audit --no-fund --silent "$work"/pinakes-*.tgz
npx pinakes up "$work/code" --data "$work/data" --port 0 --detach
# To the end of what is printed: grep -q would close the pipe, which the program may take for an error.
npx pinakes search --data "$work/data" greetTheWorld | grep 'greet.js:1:' >/dev/null
npx pinakes stop --data "$work/data"
echo "tarball: ok"
