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

outcome() { # outcome ARGUMENT...: what a run comes to, in one line
    graphwright run --quiet billing/invoices "$@" > "$space/result.json" || return
    python3 - "$space/result.json" <<'PYTHON'
import json, sys

result = json.load(open(sys.argv[1], encoding="utf-8"))
print("  ", result["status"], "after", result["steps"], "steps:", json.dumps(result["output"]))
PYTHON
}

echo
echo "4. run      one batch that adds up and one that does not"
outcome -i batch=data/invoices.csv
outcome -i batch=data/broken.csv

echo
echo "5. resume   a run that was killed with kill -9 while it posted to the ledger"
tool=.ai/tools/billing/post.py
cp "$tool" "$space/post.py"
echo 'import os; os.kill(os.getpid(), 9)' > "$tool"
{ outcome -i batch=data/invoices.csv --run-id monday || echo "   (exit code $?)"; } 2> /dev/null
cp "$space/post.py" "$tool"
graphwright runs show --quiet monday | sed -n '1s/^/   /p'
outcome --resume monday

echo
echo "6. mistake  one misspelled key in the graph"
change "$graph" 'invoices: "${state.invoices}"}' 'invoices: "${state.invoises}"}'
graphwright check "$graph" || echo "   (exit code $?)"

echo
echo "7. tamper   one name changed in the signed module"
change "$module" 'return "quarantine"' 'return "post"'
graphwright verify || echo "   (exit code $?)"
