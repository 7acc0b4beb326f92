"""A hip-python program, with and without the wait that it needs.

python hip_python_race.py {race|fixed}

A staging buffer in pinned memory is filled again while its copy to the device may still read it.
Prints what arrived in the end, if it is sure to be what was sent.
"""

import ctypes
import sys
from typing import Any

from hip import hip

N, TURNS = 1 << 16, 3
FIXED = sys.argv[1] == "fixed"
TO_DEVICE = hip.hipMemcpyKind.hipMemcpyHostToDevice
TO_HOST = hip.hipMemcpyKind.hipMemcpyDeviceToHost


def of(result: tuple[Any, ...]) -> Any:
    """What a call gave besides success."""
    assert int(result[0]) == 0, result
    return result[1] if result[1:] else None


staging, back = (of(hip.hipHostMalloc(N, 0)) for _ in range(2))
device = of(hip.hipMalloc(N))
stream = of(hip.hipStreamCreateWithFlags(hip.hipStreamNonBlocking))
arrived = of(hip.hipEventCreateWithFlags(hip.hipEventDisableTiming))
for turn in range(TURNS):
    if turn and FIXED:
        of(hip.hipEventSynchronize(arrived))
    ctypes.memset(int(staging), turn + 1, N)
    of(hip.hipMemcpyAsync(device, staging, N, TO_DEVICE, stream))
    of(hip.hipEventRecord(arrived, stream))
of(hip.hipMemcpyAsync(back, device, N, TO_HOST, stream))
of(hip.hipStreamSynchronize(stream))
print(ctypes.string_at(int(back), N) == bytes([TURNS]) * N if FIXED else "raced")
of(hip.hipEventDestroy(arrived))
of(hip.hipStreamDestroy(stream))
of(hip.hipFree(device))
for memory in staging, back:
    of(hip.hipHostFree(memory))
