"""What a check must say of the programs of tests/hip/programs as CUDA programs (hip_by_cuda.c).

As tests/hip/catalogue.py, with kernels called by their plain names. Where it says something else of
CUDA than of HIP:

- Modes are unknown but for pointers to const, so that pairs of which the race needs another
  kernel's write are mode-unknown. An allocation in a stream is a certain write, so of memory that
  is freed without order that pair is certain.
- By its documents CUDA may wait when it allocates pinned memory, so that some races are latent
  under cuda-doc; that driver 580 does not, cuda-13 knows.
- Two launches of one executable are ordered by it: no race, and waits for that are needless.
- cuMemFree of a pool's memory does not wait, so that the race spoils bytes.
"""

import re

from hip.catalogue import Expected, race

PROFILES = ("cuda-doc", "cuda-13")


def plain(line: str) -> str:
    """A finding with kernels called as their source does."""
    return re.sub(r"_Z\d+(fill|pass|add)\w+", r"\1", line)


def _syncs(verdict: str, *numbers: int) -> str:
    return " ".join([verdict, *(f"cuStreamSynchronize#{n}" for n in numbers)])


_STORES = "RACE04 certain cuMemcpyHtoDAsync_v2#1 pending_sources#1"
_MAYBE = "RACE04 latent cuMemcpyHtoDAsync_v2#1 pending_sources#1"
_READ = "RACE04 certain cuMemcpyDtoHAsync_v2#1 synctrace_host_read#1"

CASES: dict[str, Expected] = {
    "ggml-cpu-input-overwrite": race("h2d", _STORES),
    "vllm-pp-batch-queue": race("h2d", _STORES),
    "vllm-pooling-no-implicit-sync": race("h2d", _STORES),
    "trtllm-eagle-host-mutation": Expected("h2d", (_MAYBE,), otherwise={"cuda-13": (_STORES,)}),
    "trtllm-prepare-inputs": race("graphs", _STORES),
    "tokenspeed-sampling-buffer": race("h2d", _STORES),
    "kvblockzeroer-ids": race("h2d", _STORES),
    "hip-kv-staging-refill": race("h2d", _STORES),
    "vllm-v2-runner-deadlock": race("h2d", _STORES),
    "sycl-lead-mini-sglang": race(
        "h2d", "RACE04 certain cuMemcpyHtoDAsync_v2#1 synctrace_host_write#1"
    ),
    "pytorch-d2h-early": race("d2h", _READ),
    "cudf-stack-target": race("d2h", _READ),
    "ik-llama-d2h": race("d2h", _READ),
    "rccl-behaviour-change": race("d2h", _READ),
    "inductor-d2h-item": race("d2h", _READ),
    "invokeai-nonblocking-revert": race(
        "d2h", "LIFE01 latent cuMemcpyDtoHAsync_v2#1 cuMemFree_v2#1", _READ
    ),
    "lead-llama-18310": race("graphs", _READ),
    "torchcodec-nvdec-npp": race("streams", "RACE01 mode-unknown fill#1 pass#1"),
    "rocm-default-vs-transfer": race("streams", "RACE01 certain cuMemcpyHtoDAsync_v2#1 pass#1"),
    "csan-basic": race(
        "streams", "RACE01 mode-unknown fill#1 add#1", "RACE02 mode-unknown fill#1 add#1"
    ),
    "cvcuda-tests": race(
        "streams", "RACE01 mode-unknown fill#1 pass#1", "RACE01 mode-unknown pass#1 pass#2"
    ),
    "lead-trtllm-10610": race("streams", "RACE01 mode-unknown fill#1 pass#1"),
    "ggml-pipeline-graph-reuse": race("slots", "RACE02 certain pass#1 cuMemcpyHtoDAsync_v2#2"),
    "ggml-cur-copy-advanced": race("slots", "RACE01 certain cuMemcpyHtoDAsync_v2#2 pass#2"),
    "vllm-pp-send-buffer": race(
        "graphs", "RACE02 mode-unknown cuMemcpyPeerAsync#1 cuGraphLaunch#2"
    ),
    "lead-vllm-39568": race(
        "slots",
        "RACE04 certain cuMemcpyDtoHAsync_v2#2 cuEventSynchronize#1",
        "RACE04 certain cuMemcpyDtoHAsync_v2#2 synctrace_host_read#1",
    ),
    "opencv-local-constants": Expected(
        "lifetime", ("LIFE04 latent cuMemcpyHtoDAsync_v2#1 cuMemHostUnregister#1",), shows=False
    ),
    "hecbench-free-before-wait": Expected(
        "lifetime", ("LIFE01 latent cuMemcpyHtoDAsync_v2#1 cuMemFreeHost#1",), shows=False
    ),
    "kokkos-free-no-sync": race(
        "lifetime",
        "LIFE01 certain cuMemAllocAsync#1 cuMemFree_v2#1",
        "LIFE01 mode-unknown add#1 cuMemFree_v2#1",
        "LIFE01 mode-unknown fill#1 cuMemFree_v2#1",
    ),
    "lead-vllm-29623": race("lifetime", "LIFE01 certain cuMemcpyDtoHAsync_v2#1 cuMemFreeAsync#1"),
    "torchrec-ems-record-stream": race(
        "allocators", "RACE02 mode-unknown cuMemcpyDtoHAsync_v2#1 fill#2"
    ),
    "pytorch-ddp-nccl-flatten": race(
        "allocators", "RACE01 mode-unknown add#1 fill#2", "RACE02 mode-unknown add#1 fill#2"
    ),
    "sglang-mix-indices": race("allocators", "RACE02 mode-unknown pass#1 fill#2"),
    "vulkan-events-not-submitted": race("events", "RACE01 mode-unknown fill#1 pass#1"),
    "cucascade-cross-device-event": Expected(
        "events", (_MAYBE,), otherwise={"cuda-13": (_STORES,)}
    ),
    "wait-before-record": race("events", "RACE01 mode-unknown fill#1 pass#1"),
    "miopen-null-stream-copy": race(
        "defaults",
        "RACE01 certain cuMemcpyDtoD_v2#1 pass#1",
        "RACE01 mode-unknown fill#1 cuMemcpyDtoD_v2#1",
    ),
    "fvdb-missing-stream-arg": race(
        "defaults", "RACE01 mode-unknown fill#1 pass#1", "RACE01 mode-unknown pass#1 pass#2"
    ),
    "hip-memcpypeer-both": race("peers", "RACE01 mode-unknown fill#1 cuMemcpyPeerAsync#1"),
    "ggml-virtual-device-copy": race("peers", "RACE01 certain cuMemcpyDtoDAsync_v2#1 pass#1"),
    "ggml-ubatch-input-war": race("graphs", "RACE05 certain cuGraphLaunch#1 pending_sources#1"),
    "ort-captured-staging": race("graphs", "LIFE02 certain cuGraphLaunch#1"),
    "pytorch-cublas-workspace-graphs": race("graphs", "LIFE02 certain cuGraphLaunch#1"),
    "threaded-pg": race(
        "threads",
        "RACE01 certain cuMemcpyDtoDAsync_v2#1 pass#1",
        "RACE01 mode-unknown fill#1 cuMemcpyDtoDAsync_v2#1",
    ),
    "ggml-sassassasg": Expected(
        "syncs",
        (
            _syncs("SYNC01 provable", 1, 3, 6, 8),
            _syncs("SYNC01 provable", 5, 10),
        ),
        shows=False,
    ),
    "tornado-drained-stream": Expected("syncs", (_syncs("SYNC01 provable", 2, 3),), shows=False),
    "thrust-double-sync": Expected(
        "syncs", ("SYNC01 provable cuStreamSynchronize#1",), shows=False
    ),
    "tk-consecutive-syncs": Expected(
        "syncs",
        (
            "SYNC01 provable cuCtxSynchronize#1",
            "SYNC01 provable cuStreamSynchronize#1",
        ),
        shows=False,
    ),
    "luminal-d2d-sync": Expected("syncs", ("SYNC01 provable cuStreamSynchronize#1",), shows=False),
    "paddle-per-op-sync": Expected("syncs", (_syncs("SYNC01 provable", 1, 2),), shows=False),
    "vllm-tolist-stream-sync": Expected(
        "syncs", ("SYNC02 over-broad cuStreamSynchronize#1",), shows=False
    ),
    "thrust-device-sync": Expected("syncs", ("SYNC02 over-broad cuCtxSynchronize#1",), shows=False),
    "sglang-seqlens-sync": Expected("syncs", (), shows=False),
    "same-stream-d2h-then-reuse": race(
        "traps", "RACE02 mode-unknown cuMemcpyDtoHAsync_v2#1 cuGraphLaunch#2"
    ),
    "legacy-default-implicit": race(
        "traps",
        "RACE01 mode-unknown fill#1 pass#1",
        "RACE01 mode-unknown pass#1 pass#2",
        "RACE02 mode-unknown pass#1 pass#2",
    ),
    "pageable-staged": race("traps", _STORES),
    "pageable-local-freed": Expected("traps", (_MAYBE,), otherwise={"cuda-13": (_STORES,)}),
    "graph-exec-self-order": Expected(
        "graphs",
        (
            "SYNC01 provable cuStreamWaitEvent#1",
            "SYNC01 provable cuStreamWaitEvent#2",
        ),
        shows=False,
    ),
    "mallocasync-same-stream-reuse": race(
        "traps",
        "LIFE01 certain cuMemAllocAsync#1 cuMemFreeAsync#1",
        "LIFE01 mode-unknown fill#1 cuMemFreeAsync#1",
    ),
    "mallocasync-event-reuse": Expected(
        "traps",
        (
            "LIFE01 certain cuMemAllocAsync#1 cuMemFreeAsync#1",
            "LIFE01 mode-unknown fill#1 cuMemFreeAsync#1",
        ),
        whole=("SYNC01 provable cuStreamWaitEvent#1",),
    ),
    "pinned-cache-events": Expected("traps", (_MAYBE,), otherwise={"cuda-13": (_STORES,)}),
    "unrecorded-event-first-lap": race("traps", _STORES),
    "ipc-host-sync": race("threads", "RACE01 mode-unknown fill#1 pass#1"),
    "disjoint-slices": race("traps", _STORES),
    "nonblocking-same-stream-consumer": race(
        "traps", "RACE01 certain cuMemcpyDtoDAsync_v2#1 pass#1"
    ),
}

MORE: dict[str, Expected] = {
    "untold-read": Expected("d2h", ()),
    "one-allocation": Expected(
        "slots",
        (
            "RACE01 certain cuMemcpyHtoDAsync_v2#2 pass#2",
            "RACE02 range-guess pass#1 cuMemcpyHtoDAsync_v2#2",
        ),
        whole=("RACE02 range-guess pass#1 cuMemcpyHtoDAsync_v2#2",),
    ),
    "destination-freed": race("lifetime", "LIFE01 certain cuMemcpyDtoHAsync_v2#1 free#1"),
    "used-after-free": Expected(
        "lifetime", ("LIFE05 mode-unknown cuMemFreeAsync#1 add#1",), shows=False
    ),
    "one-event-two-streams": race("events", "RACE01 mode-unknown fill#1 pass#1"),
    "recorded-again": race("events", "RACE01 mode-unknown fill#2 pass#1"),
    "query": Expected("events", (_MAYBE,), otherwise={"cuda-13": (_STORES,)}),
    "per-thread-stream": race("defaults", "RACE01 mode-unknown fill#1 pass#1"),
    "pool-block-given-back": race("graphs", "LIFE02 certain cuGraphLaunch#1"),
    "branches": race("graphs", "RACE06 mode-unknown cuGraphLaunch#1"),
    "one-stream": Expected("threads", (), shows=False),
    "refilled-by-stores": Expected("syncs", (_syncs("SYNC01 provable", 1, 3, 5),), shows=False),
    "stores-told": Expected("syncs", (_syncs("SYNC01 provable", 1, 2, 3),), shows=False),
}
