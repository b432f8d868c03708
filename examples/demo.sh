#!/bin/sh
# Checks, builds, type-checks, signs and runs one example, then shows the output for a mistake and for a tampered module.
# `make demo` calls it.
set -eu
cd "$(dirname "$0")/.."
here=$(pwd)
space=$(mktemp -d)
trap 'rm -rf "$space"' EXIT
cp -R examples/invoice-pipeline "$space/shop"
cp -R .graphwright "$space/shop/"  # trusts the key of the examples
cd "$space/shop"
export XDG_CONFIG_HOME="$space/config"  # and no other key
export GRAPHWRIGHT_SIGNING_KEY="$(tail -n 1 "$here/examples/example-key.txt")"
graph=.ai/tools/billing/invoices.yaml
module=generated/billing/invoices.py

change() { # change FILE FROM TO: in one place
    sed "s/$2/$3/" "$1" > "$space/changed" && mv "$space/changed" "$1"
}

echo "1. check    $graph"
graphwright check --strict "$graph"

echo
echo "2. build    -> $module, type-checked by mypy --strict and signed. One of its nodes:"
graphwright build --quiet .
echo
sed -n '/^async def prove_sums/,/^$/p' "$module"

echo "3. verify   the signatures"
graphwright verify

echo
echo "4. run      one batch that adds up and one that does not"
for batch in invoices broken; do
    graphwright run --quiet billing/invoices -i "batch=data/$batch.csv" > "$space/result.json"
    python3 - "$space/result.json" <<'PYTHON'
import json, sys

result = json.load(open(sys.argv[1], encoding="utf-8"))
print("  ", result["status"], "after", result["steps"], "steps:", json.dumps(result["output"]))
PYTHON
done

echo
echo "5. mistake  one misspelled key in the graph"
change "$graph" 'invoices: "${state.invoices}"}' 'invoices: "${state.invoises}"}'
graphwright check "$graph" || echo "   (exit code $?)"

echo
echo "6. tamper   one name changed in the signed module"
change "$module" 'return "quarantine"' 'return "post"'
graphwright verify || echo "   (exit code $?)"
