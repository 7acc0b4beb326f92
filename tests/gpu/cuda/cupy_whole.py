"""CuPy on two streams, with a kernel of its own, pinned memory, a pool and a captured graph.

python cupy_whole.py race|fixed: without or with the wait for a copy's source.
"""

import sys

import cupy
import cupyx

N = 1 << 18
FIXED = sys.argv[1] == "fixed"
SCALE = cupy.RawKernel(
    """extern "C" __global__ void scale(float *to, const float *from, float by, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) to[i] = by * from[i];
    }""",
    "scale",
)


def main() -> None:
    host = cupyx.empty_pinned(N, "f4")
    device, result = cupy.zeros(N, "f4"), cupy.zeros(N, "f4")
    cupy.cuda.Device().synchronize()
    one, two = cupy.cuda.Stream(non_blocking=True), cupy.cuda.Stream(non_blocking=True)
    arrived, computed = (cupy.cuda.Event(disable_timing=True) for _ in range(2))
    for turn in range(5):
        host[:] = turn
        two.wait_event(computed)
        device.set(host, stream=one)
        arrived.record(one)
        two.wait_event(arrived)
        with two:
            SCALE((N // 256,), (256,), (result, device, cupy.float32(2), cupy.int32(N)))
            result += cupy.sqrt(result)
        computed.record(two)
        one.wait_event(computed)
        if FIXED:
            arrived.synchronize()
    with two:
        two.begin_capture()
        SCALE((N // 256,), (256,), (device, result, cupy.float32(1), cupy.int32(N)))
        graph = two.end_capture()
    for _ in range(3):
        graph.launch(two)
    two.synchronize()
    if FIXED:
        print(float(device.sum()), float((device @ device).get()))


if __name__ == "__main__":
    main()
