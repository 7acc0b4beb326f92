#!/usr/bin/env bash
# A race and its fix in a token loop, then llama.cpp's scheduler policies on four devices. The
# devices are simulated by threads: no GPU, no root. Fails if a verdict is not the one told here.
set -euo pipefail
cd "$(dirname "$0")/.."
export TERM=dumb
out=.demo
mkdir -p $out
rm -rf $out/token_loop*.synctrace $out/history

step() { printf '\n\n== %s\n' "$1"; }
run() { # run EXPECTED-EXIT COMMAND…: show it, then what it prints
    local expected=$1 status=0
    shift
    printf '\n$ %s\n' "$*"
    "$@" || status=$?
    [ "$status" = "$expected" ] || {
        echo "demo: expected exit code $expected, got $status" >&2
        exit 1
    }
}

step "1. A token loop. It does not wait for the graph before it sets the next token."
run 0 python examples/programs/token_loop.py -o $out/token_loop.synctrace
run 1 synctrace check $out/token_loop.synctrace

step "2. The fix that the report names: an event behind the launch, waited for before the write."
run 0 python examples/programs/token_loop.py --fixed -o $out/token_loop-fixed.synctrace
run 0 synctrace check $out/token_loop-fixed.synctrace -F concise

step "3. llama.cpp's scheduler on four devices: which waits are right, and what they cost."
cat <<END

split    what one device is given a token: s host wait, E host wait for an event, w stream wait,
         a copy, c blocking copy, r event record, g graph
at once  devices at work at the same time, on average
waits    of the host, a token
END
run 0 python examples/programs/history.py -o $out/history
cat <<END

- sassassasg and saaasg are right, and each wait serialises the stages: four devices do little more
  work than one. EventPipelined waits for events only, and the devices overlap.
- The wrong ones are found in every run. WaitOnOwnEvent's tokens were probably right above, because
  a device would have to fall four tokens behind: no test of tokens would have found it.
END

step "4. A trace is tables. Where did the host of saaasg wait, and for how long?"
run 0 synctrace query $out/history/Saaasg.synctrace \
    "SELECT timeline, count(*) AS waits, sum(blocked_ns) // 1000000 AS blocked_ms
   FROM sync WHERE blocked_ns > 0 GROUP BY timeline ORDER BY timeline"

cat <<END

Next: examples/README.md   all examples, each a race and its fix
      docs/scheduler.md    the policies, and how to check one of your own
      docs/python.md       record your own program
      make demo-llama      record a real llama.cpp; make demo-scenarios: races as scenario files
END
