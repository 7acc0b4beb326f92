#!/usr/bin/env bash
# A race and its fix in a token loop, then llama.cpp's scheduler policies on four devices. The
# devices are simulated by threads: no GPU, no root. Fails if a verdict is not the one told here.
# Traces go to the folder given, .demo if none is.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-.demo}
mkdir -p "$out"
rm -rf "$out"/token_loop.synctrace "$out"/token_loop-fixed.synctrace "$out"/history

step() { printf '\n\n== %s\n' "$1"; }

run() { # run EXPECTED-EXIT COMMAND…: show it, then what it prints
    local expected=$1 status=0 word line='$'
    shift
    for word; do
        [[ $word != *[[:space:]]* ]] || word="\"$word\""
        line+=" $word"
    done
    printf '\n%s\n' "$line"
    "$@" || status=$?
    [ "$status" = "$expected" ] || {
        echo "demo: expected exit code $expected, got $status" >&2
        exit 1
    }
}

step "1. A token loop that does not wait before it sets the next token."
run 0 python examples/programs/token_loop.py -o "$out/token_loop.synctrace"
run 1 synctrace check -q "$out/token_loop.synctrace"

step "2. The fix that the report names: an event behind the launch, waited for before the write."
run 0 python examples/programs/token_loop.py --fixed -o "$out/token_loop-fixed.synctrace"
run 0 synctrace check -q "$out/token_loop-fixed.synctrace" -F concise

step "3. llama.cpp's scheduler on four devices: which waits are right, and what they cost."
cat <<END

Three right policies, then wrong ones that llama.cpp had or nearly had, each with its fix below it.

split    what a device is given for a token: s host wait, E host wait for an event, w stream wait,
         a copy, c blocking copy, r event record, g graph
at once  devices at work at the same time, on average
waits    of the host, a token
tokens   of 16, compared with a serial run: chance, if the policy is wrong
check    what is found in the trace: the same in every run
END
run 0 python examples/programs/history.py -o "$out/history"
cat <<END

- Sassassasg and Saaasg are right, but their waits serialise the stages: four devices do little more
  than one could. EventPipelined waits for old events only, and the devices work side by side.
- The wrong ones are found in every run, whatever the tokens look like. WaitOnOwnEvent hardly ever
  spoils one, since a device would have to fall four tokens behind: tests of tokens pass. It has the
  letters of EventPipelined, which is its fix, but its w is on the wrong stream.
END

step "4. A trace is tables. Where did the host of Saaasg wait, and for how long?"
run 0 synctrace query -q "$out/history/Saaasg.synctrace" \
    "
  SELECT timeline, count(*) AS waits, sum(blocked_ns) // 1000000 AS blocked_ms
  FROM sync WHERE kind = 'stream_sync' GROUP BY timeline ORDER BY timeline"
cat <<END


Next  examples/README.md   eight races and their fixes, a page of code each
      docs/scheduler.md    the policies, and how to check one of your own
      docs/python.md       record your own program
      make demo-llama      a real llama.cpp, recorded
      make demo-scenarios  races written down as scenario files
END
