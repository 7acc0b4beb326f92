"""llama.cpp on a CUDA GPU, plain and recorded: what recording costs a token, and traces to keep.

    python tests/gpu/llama.py NAME LIBDIR MODEL DRIVER OUT

NAME names the build (0.3.36, …), DRIVER is examples/llama/driver.c compiled. Writes OUT/NAME.json
and OUT/NAME-*.tar.gz. Runs alternate, so that both kinds see the same machine.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import tarfile
from pathlib import Path

from synctrace.tracer.reader import open_trace

PAIRS, TOKENS = int(os.environ.get("PAIRS", "15")), 300
SYNCTRACE = [sys.executable, "-m", "synctrace"]
KINDS: dict[str, tuple[list[str], dict[str, str]]] = {
    "plain": ([], {}),
    "recorded": (["record", "-q", "-f", "-o", "/tmp/price.synctrace"], {}),
    "recorded, no sites": (
        ["record", "-q", "-f", "-o", "/tmp/price.synctrace"],
        {"SYNCTRACE_STACKS": "0"},
    ),
}
# Kept small, re-checked in CI: name, driver arguments, options of record.
TRACES: dict[str, tuple[list[str], list[str]]] = {
    "decode": (["99", "8"], []),
    "ubatches": (["99", "4", "128", "16"], []),
    "copies": (["99", "4", "128", "16"], ["--force-copies", "4"]),
    "one-copy": (["99", "4", "128", "16"], ["--force-copies", "1"]),
    "offload": (["8", "8"], []),
}


def run(command: list[str], more: dict[str, str]) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"DRIVER_TIMES": "1"} | more
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def times(text: str) -> tuple[int, int]:
    """Prompt and median token, ns."""
    found = re.search(r"prompt (\d+) ns, token (\d+) ns", text)
    assert found, text
    return int(found[1]), int(found[2])


def price(driver: list[str]) -> dict[str, object]:
    """Times of all runs by kind; outputs must agree."""
    told: dict[str, list[tuple[int, int]]] = {kind: [] for kind in KINDS}
    outputs = set()
    for _ in range(PAIRS):
        for kind, (options, more) in KINDS.items():
            command = [*driver, "99", str(TOKENS), "128", "128"]
            done = run([*SYNCTRACE, *options, "--", *command] if options else command, more)
            told[kind].append(times(done.stderr))
            outputs.add(done.stdout)
    trace = open_trace(Path("/tmp/price.synctrace"))
    ops = trace.table("op").num_rows
    plain = [token for _, token in told["plain"]]
    shares = {
        kind: sorted(
            (token - base) / base for (_, token), base in zip(told[kind], plain, strict=True)
        )
        for kind in KINDS
        if kind != "plain"
    }
    return {
        "outputs equal": len(outputs) == 1,
        "ops": ops,
        "ops a token": ops / TOKENS,
        "complete": trace.complete,
        "lost": list(trace.lost),
        "coverage": trace.meta["coverage"],
        "token ns": {kind: statistics.median(t for _, t in runs) for kind, runs in told.items()},
        "prompt ns": {kind: statistics.median(p for p, _ in runs) for kind, runs in told.items()},
        "share added": {
            kind: {
                "median": statistics.median(s),
                "quarter": s[len(s) // 4],
                "three": s[-len(s) // 4],
            }
            for kind, s in shares.items()
        },
        "runs": told,
    }


def main() -> None:
    name, libraries, model, program, out = sys.argv[1:]
    driver = [program, libraries, model]
    result: dict[str, object] = {"name": name}
    for label, (arguments, options) in TRACES.items():
        trace = f"/tmp/h200-llama-{name}-{label}.synctrace"
        command = [*SYNCTRACE, "record", "-f", "-o", trace, *options, "--", *driver, *arguments]
        done = run(command, {})
        result[label] = {"printed": done.stdout, "plain": run([*driver, *arguments], {}).stdout}
        result[label]["told"] = done.stderr  # type: ignore[index]
        with tarfile.open(Path(out) / f"{name}-{label}.tar.gz", "w:gz") as tar:
            tar.add(trace, Path(trace).name)
    result["price"] = price(driver)
    (Path(out) / f"{name}.json").write_text(json.dumps(result, indent=1))
    print(json.dumps({k: v for k, v in result.items() if k != "runs"}, indent=1)[:6000])


if __name__ == "__main__":
    main()
