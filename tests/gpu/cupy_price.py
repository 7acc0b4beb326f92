"""What a call of `synctrace.cupy` costs the host beside CuPy's own, recorded and not.

    python tests/gpu/cupy_price.py [OUT.json]

Plain and told calls alternate in short rounds, so that both see the same machine; the device is
waited for between the rounds, outside the times. Prints medians in ns a call. Needs a GPU.
"""

import json
import statistics
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import cupy

import synctrace
from synctrace.tracer.cupy import api as told
from synctrace.tracer.reader import open_trace

ROUNDS, CALLS = 101, 200
RING_KB = 1 << 16  # all of it fits: a call that finds the ring full costs less
Call = Callable[[], object]


def pairs() -> dict[str, tuple[Call, Call]]:
    """Each call as CuPy has it and as it is told."""
    plain, ours = cupy.cuda.Stream(non_blocking=True), told.Stream(non_blocking=True, name="s")
    event, mark = cupy.cuda.Event(disable_timing=True), told.Event(disable_timing=True, name="e")
    a, b = cupy.zeros(64, "u8"), cupy.zeros(64, "u8")
    host = told.pinned_empty(64, "u8", name="host")
    nothing = cupy.RawKernel('extern "C" __global__ void nothing(void *a, void *b) {}', "nothing")
    nothing((1,), (1,), (a, b))
    copy = cupy.cuda.runtime.memcpyAsync
    addresses = (a.data.ptr, host.ctypes.data, 512, cupy.cuda.runtime.memcpyDefault)

    def launch_plain() -> None:
        with plain:
            nothing((1,), (1,), (a, b))

    def captured(stream: cupy.cuda.Stream) -> object:
        stream.begin_capture()
        with stream:
            nothing((1,), (1,), (a, b))
        return stream.end_capture()

    plain.record(event)
    ours.record(mark)
    graph, plan = captured(plain), captured(ours)
    return {
        "event record": (lambda: plain.record(event), lambda: ours.record(mark)),
        "stream wait": (lambda: plain.wait_event(event), lambda: ours.wait_event(mark)),
        "event query": (lambda: event.done, lambda: mark.done),
        "stream synchronize": (plain.synchronize, ours.synchronize),
        "copy 512 B": (lambda: copy(*addresses, plain.ptr), lambda: told.copy(a, host, ours)),
        "kernel launch": (
            launch_plain,
            lambda: told.launch(ours, nothing, (1,), (1,), (a, b), reads=(a,), writes=(b,)),
        ),
        "graph launch": (lambda: graph.launch(plain), lambda: plan.launch(ours)),
    }


def measured(plain: Call, ours: Call) -> dict[str, float]:
    """Medians of the rounds, ns a call, and of what is added within a pair of rounds."""
    times: dict[str, list[float]] = {"plain": [], "told": []}
    for _ in range(ROUNDS):
        for name, call in (("plain", plain), ("told", ours)):
            since = time.perf_counter_ns()
            for _ in range(CALLS):
                call()
            times[name].append((time.perf_counter_ns() - since) / CALLS)
            cupy.cuda.runtime.deviceSynchronize()
    added = [b - a for a, b in zip(times["plain"], times["told"], strict=True)]
    quarters = statistics.quantiles(added, n=4)
    return {
        "plain ns": statistics.median(times["plain"]),
        "told ns": statistics.median(times["told"]),
        "added ns": quarters[1],
        "added ns, quarter": quarters[0],
        "added ns, three quarters": quarters[2],
        "ratio": statistics.median(times["told"]) / statistics.median(times["plain"]),
    }


def table(title: str, result: dict[str, dict[str, dict[str, float]]]) -> None:
    rows: dict[str, dict[str, float]] = {}
    for name, (plain, ours) in pairs().items():
        try:
            rows[name] = measured(plain, ours)
        except Exception:
            traceback.print_exc(file=sys.stdout)
            continue
        row = rows[name]
        print(
            f"{title:18} {name:20} plain {row['plain ns']:7.0f} ns  told {row['told ns']:7.0f} ns"
            f"  added {row['added ns']:6.0f} [{row['added ns, quarter']:.0f},"
            f" {row['added ns, three quarters']:.0f}]  x {row['ratio']:.2f}",
            flush=True,
        )
    result[title] = rows


def main() -> None:
    result: dict[str, dict[str, dict[str, float]]] = {}
    table("nothing records", result)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "price.synctrace"
        for title, stacks in (("recorded", True), ("recorded, no sites", False)):
            try:
                with synctrace.record(path, overwrite=True, stacks=stacks, ring_kb=RING_KB):
                    table(title, result)
                trace = open_trace(path)
                print(title, "ops", trace.table("op").num_rows, "lost", list(trace.lost))
            except Exception:
                traceback.print_exc(file=sys.stdout)
    if len(sys.argv) > 1:
        Path(sys.argv[1]).write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
