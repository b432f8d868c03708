#!/bin/sh
# Checks, builds, type-checks, signs and runs one example, then shows what a mistake and a forgery look like.
# `make demo` calls it.
set -eu
cd "$(dirname "$0")/.."
here=$(pwd)
space=$(mktemp -d)
trap 'rm -rf "$space"' EXIT
cp -R examples/invoice-pipeline "$space/shop"
cp -R .graphwright "$space/shop/"  # whose signatures count: those of the examples' key
cd "$space/shop"
export XDG_CONFIG_HOME="$space/config"  # and nobody else's
export GRAPHWRIGHT_SIGNING_KEY="$(tail -n 1 "$here/examples/example-key.txt")"
graph=.ai/tools/billing/invoices.yaml
module=generated/billing/invoices.py

change() { # change FILE FROM TO: in one place
    sed "s/$2/$3/" "$1" > "$space/changed" && mv "$space/changed" "$1"
}

echo "1. check    $graph"
graphwright check --strict "$graph"

echo
echo "2. build    -> $module, type-checked by mypy --strict and signed; one of its nodes:"
graphwright build --quiet .
echo
sed -n '/^async def prove_sums/,/^$/p' "$module"

echo "3. verify   what was signed"
graphwright verify

echo
echo "4. run      a batch that adds up, and one that does not"
for batch in invoices broken; do
    graphwright run --quiet billing/invoices -i "batch=data/$batch.csv" > "$space/result.json"
    python3 - "$space/result.json" <<'PYTHON'
import json, sys

result = json.load(open(sys.argv[1], encoding="utf-8"))
print("  ", result["status"], "after", result["steps"], "steps:", json.dumps(result["output"]))
PYTHON
done

echo
echo "5. mistake  one key misspelt in the graph"
change "$graph" 'invoices: "${state.invoices}"}' 'invoices: "${state.invoises}"}'
graphwright check "$graph" || echo "   (exit code $?)"

echo
echo "6. forgery  one name changed in the module"
change "$module" 'return "quarantine"' 'return "post"'
graphwright verify || echo "   (exit code $?)"
