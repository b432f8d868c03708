#!/bin/sh
# Checks, builds, type-checks and runs one example, then shows what a mistake looks like. `make demo` calls it.
set -eu
cd "$(dirname "$0")/.."
space=$(mktemp -d)
trap 'rm -rf "$space"' EXIT
cp -R examples/invoice-pipeline "$space/shop"
cd "$space/shop"
export XDG_CONFIG_HOME="$space/config"  # a signing key for the demo alone
graph=.ai/tools/billing/invoices.yaml

echo "1. check    $graph"
graphwright check --strict "$graph"

echo
echo "2. build    -> generated/billing/invoices.py, signed, type-checked by mypy --strict; one of its nodes:"
graphwright build --quiet .
echo
sed -n '/^async def prove_sums/,/^$/p' generated/billing/invoices.py

echo "3. run      a batch that adds up, and one that does not"
for batch in invoices broken; do
    graphwright run --quiet billing/invoices -i "batch=data/$batch.csv" > "$space/result.json"
    python3 - "$space/result.json" <<'PYTHON'
import json, sys

result = json.load(open(sys.argv[1], encoding="utf-8"))
print("  ", result["status"], "after", result["steps"], "steps:", json.dumps(result["output"]))
PYTHON
done

echo
echo "4. break it: rename a key in one place"
sed 's/invoices: "${state.invoices}"}/invoices: "${state.invoises}"}/' "$graph" > "$space/broken" && mv "$space/broken" "$graph"
graphwright check "$graph" || echo "   (exit code $?)"
