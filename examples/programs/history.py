"""llama.cpp's scheduler policies on four devices, right and wrong ones: a line of a table for each.

split: what the scheduler does for one device in the middle, in llama.cpp's letters:
s synchronize, E event_synchronize, w event_wait, r event_record, a asynchronous copy, c blocking
copy, g graph launch. at once: devices at work at the same time, of four. waits: of the host, a
token. tokens: whether they came out right this time. check: what `synctrace check` says every time.
-o names the folder for the traces, one a policy.
"""

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import options
from pipeline import decode

import synctrace
from synctrace.tracer.scheduler.history import POLICIES

# A blocking copy is one on a stream of the thread and the wait for it. The event within a copy
# between devices is left out: llama.cpp's discussions do not write it either.
SPLIT = """
SELECT string_agg(
  CASE
    WHEN coalesce(a.name, '') NOT LIKE '% thread' THEN l.letter[1]
    WHEN o.kind = 'stream_sync' THEN ''
    ELSE 'c'
  END,
  '' ORDER BY l.op
) AS letters
FROM letter AS l
JOIN op AS o ON o.id = l.op
LEFT JOIN actor AS a ON a.id = o.actor
LEFT JOIN event AS e ON e.id = o.event
WHERE
  o.scope = (SELECT min(id) FROM scope WHERE kind = 'split' AND name LIKE 'split %1')
  AND l.letter IS NOT NULL
  AND coalesce(e.name, '') NOT LIKE 'copy_event%'
"""


def verdict(trace: Path) -> str:
    """Races, and whether the stages are serialised."""
    found = synctrace.check(trace, select=["RACE", "LIFE", "SYNC08"]).findings
    counts = Counter[str]()
    for finding in found:
        counts[finding.rule] += finding.count
    serialised = counts.pop("SYNC08", 0)
    races = ", ".join(f"{rule} {count}x" for rule, count in sorted(counts.items()))
    return (races or "no race") + (", stages serialised" if serialised else "")


def main() -> None:
    """Run each policy, then check its trace."""
    args = options.parser(__doc__, has_fix=False).parse_args()
    given = options.options(args, "history")
    given.trace.mkdir(parents=True, exist_ok=True)
    line = "{:<25} {:<11} {:>7} {:>6}  {:<8}  {}"
    print(line.format("policy", "split", "at once", "waits", "tokens", "check"))
    for policy in POLICIES:
        name = policy.__name__
        trace = given.trace / f"{name}.synctrace"
        done = decode(replace(given, trace=trace), policy)
        [letters] = synctrace.open(trace).query(SPLIT)["letters"].to_pylist()
        wrong = sum(got != right for got, right in zip(done.outputs, done.right, strict=True))
        tokens = f"{wrong} wrong" if wrong else "right"
        at_once, waits = f"{done.at_once:.1f}", f"{done.waits:.0f}"
        print(line.format(name, letters, at_once, waits, tokens, verdict(trace)), flush=True)


if __name__ == "__main__":
    sys.exit(options.run(main))
