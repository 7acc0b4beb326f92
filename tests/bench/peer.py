"""PyTorch's CUDA sanitizer on the same ops: its unmodified event handler, fed from a trace.

Speed only. It has no host timeline and matches equal addresses, not ranges, so that its findings on
the same ops are not ours; its handler takes a stack at each launch, as it does in use.

python peer.py TRACE OPS
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

from torch.cuda._sanitizer import EventHandler

from synctrace.tracer.kinds import Kind, Mode
from synctrace.tracer.reader import open_trace

COLUMNS = ("kind", "actor", "event", "accesses")
WORK = {Kind.KERNEL, Kind.GRAPH_LAUNCH, Kind.MEMCPY_ASYNC_H2D, Kind.MEMCPY_ASYNC_D2H}
WORK |= {Kind.MEMCPY_ASYNC_D2D, Kind.MEMCPY_ASYNC_PEER, Kind.MEMSET_ASYNC}


def calls(trace: Path, ops: int) -> list[tuple[str, tuple[Any, ...]]]:
    """The handler's calls for the first ops of the trace, decoded before the clock starts."""
    opened = open_trace(trace)
    accesses = opened.table("access").select(["id", "storage", "lo", "mode"]).to_pylist()
    address = {a["id"]: (a["storage"] << 48) + a["lo"] for a in accesses}
    writes = {a["id"] for a in accesses if a["mode"] != Mode.READ}
    found: list[tuple[str, tuple[Any, ...]]] = []
    for batch in opened.batches("op", COLUMNS):
        for row in batch.to_pylist():
            if len(found) == ops:
                return found
            kind, stream, event = Kind(row["kind"]), row["actor"], row["event"]
            if kind in WORK:
                read = {address[a] for a in row["accesses"] if a not in writes}
                written = {address[a] for a in row["accesses"] if a in writes}
                names = {key: [""] for key in read | written}
                found.append(
                    ("_handle_kernel_launch", (stream, read - written, written, set(), "", names))
                )
            elif kind is Kind.EVENT_RECORD:
                found.append(("_handle_event_record", (event, stream)))
            elif kind is Kind.EVENT_WAIT:
                found.append(("_handle_event_wait", (event, stream)))
            elif kind is Kind.EVENT_SYNC:
                found.append(("_handle_event_synchronization", (event,)))
            elif kind is Kind.STREAM_SYNC:
                found.append(("_handle_stream_synchronization", (stream,)))
            elif kind is Kind.DEVICE_SYNC:
                found.append(("_handle_device_synchronization", ()))
    return found


def main() -> None:
    """Print the number of calls and the seconds they took."""
    todo = calls(Path(sys.argv[1]), int(sys.argv[2]))
    handler = EventHandler()
    start = time.perf_counter()
    for name, arguments in todo:
        getattr(handler, name)(*arguments)
    print(json.dumps({"ops": len(todo), "seconds": time.perf_counter() - start}))


main()
