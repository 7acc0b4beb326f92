#!/usr/bin/env bash
# The project's two rules, each as a race and its fix, on scenario files: no GPU, no root.
# Fails if a verdict is not the one told here.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=.demo/scenarios
rm -rf $out
mkdir -p $out

tell() { # tell WHAT FILE EXPECTED-EXIT
    local case trace status=0
    case=$(basename "$2" .jsonl)
    trace=$out/$case.synctrace
    printf '\n== %s\n\n$ synctrace import %s --case %s -o %s\n' "$1" "$2" "$case" "$trace"
    synctrace import "$2" --case "$case" -o "$trace" >/dev/null
    printf '$ synctrace check %s\n\n' "$trace"
    synctrace check "$trace" || status=$?
    if [ "$status" != "$3" ]; then
        echo "demo: expected exit code $3, got $status" >&2
        exit 1
    fi
}

tell "Rule 1: no host write to the source of a pending copy. The race." \
    examples/scenarios/pending-copy-race.jsonl 1
tell "The fix: an event behind the copy, waited for before the rewrite." \
    examples/scenarios/pending-copy-fix.jsonl 0
tell "Rule 2: no rewrite of a graph's inputs while the graph is in flight. The race." \
    examples/scenarios/graph-input-race.jsonl 1
tell "The fix: two slots in turn, and an event for each." \
    examples/scenarios/graph-input-fix.jsonl 0

cat <<END

The four traces are in $out. Ask them anything:
  .venv/bin/synctrace query $out/pending-copy-race.synctrace "SELECT id, kind, actor FROM op"
Then see a real program recorded:
  make demo-llama
END
