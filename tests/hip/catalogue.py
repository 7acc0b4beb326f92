"""Which program of programs/ is which case of tests/data/cases.jsonl, and what a check must say.

A finding is `RULE verdict OP OP`, an op the call's name and which of that name it is in the trace.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

PROFILES = ("hip-doc", "hip-6.3", "hip-7")


@dataclass(frozen=True)
class Expected:
    """The findings of one program: under the first profile, and where another says something else.

    `shows`: a race spoils bytes on the stand-in for some seed. `whole` are findings of the program
    with the order that the race lacks: none, but where a reason stands beside it.
    """

    program: str
    findings: tuple[str, ...] = ()
    otherwise: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    shows: bool = True
    whole: tuple[str, ...] = ()

    def under(self, profile: str) -> list[str]:
        """What the race's check must say under this profile."""
        return sorted(self.otherwise.get(profile, self.findings))


def race(program: str, *findings: str) -> Expected:
    """A race of which every profile says the same."""
    return Expected(program, findings)


def _syncs(verdict: str, *numbers: int) -> str:
    return " ".join([verdict, *(f"hipStreamSynchronize#{n}" for n in numbers)])


# The interval in which pinned memory changed is told as a write by this name. A finding is of all
# pairs of its places: steps of a loop are one.
_STORES = "RACE04 certain hipMemcpyAsync#1 pending_sources#1"
_READ = "RACE04 certain hipMemcpyAsync#1 synctrace_host_read#1"
_LATENT_BLOCK = ("LIFE01 latent add#1 hipFree#1", "LIFE01 latent fill#1 hipFree#1")
_CERTAIN_BLOCK = ("LIFE01 certain add#1 hipFree#1", "LIFE01 certain fill#1 hipFree#1")
_UNREGISTERED = "LIFE04 latent hipMemcpyAsync#1 hipHostUnregister#1"

CASES: dict[str, Expected] = {
    # h2d-source-overwrite
    "ggml-cpu-input-overwrite": race("h2d", _STORES),
    "vllm-pp-batch-queue": race("h2d", _STORES),
    "vllm-pooling-no-implicit-sync": race("h2d", _STORES),
    "trtllm-eagle-host-mutation": race("h2d", _STORES),
    "trtllm-prepare-inputs": race("graphs", _STORES),
    "tokenspeed-sampling-buffer": race("h2d", _STORES),
    "kvblockzeroer-ids": race("h2d", _STORES),
    "hip-kv-staging-refill": race("h2d", _STORES),
    "vllm-v2-runner-deadlock": race("h2d", _STORES),
    "sycl-lead-mini-sglang": race("h2d", "RACE04 certain hipMemcpyAsync#1 synctrace_host_write#1"),
    # d2h-read-early: the reads are annotated
    "pytorch-d2h-early": race("d2h", _READ),
    "cudf-stack-target": race("d2h", _READ),
    "ik-llama-d2h": race("d2h", _READ),
    "rccl-behaviour-change": race("d2h", _READ),
    "inductor-d2h-item": race("d2h", _READ),
    "invokeai-nonblocking-revert": race(
        "d2h",
        _READ,
        "LIFE01 latent fill#1 hipFree#1",
        "LIFE01 latent hipMemcpyAsync#1 hipFree#1",
    ),
    "lead-llama-18310": race("graphs", _READ),
    # cross-stream-missing-event
    "torchcodec-nvdec-npp": race("streams", "RACE01 certain fill#1 pass#1"),
    "rocm-default-vs-transfer": race("streams", "RACE01 certain hipMemcpyAsync#1 pass#1"),
    "csan-basic": race("streams", "RACE01 certain fill#1 add#1"),
    "cvcuda-tests": race("streams", "RACE01 certain fill#1 pass#1", "RACE01 certain pass#1 pass#2"),
    "lead-trtllm-10610": race("streams", "RACE01 certain fill#1 pass#1"),
    # pipeline-slot-reuse
    "ggml-pipeline-graph-reuse": race("slots", "RACE02 certain pass#1 hipMemcpyAsync#2"),
    "ggml-cur-copy-advanced": race("slots", "RACE01 certain hipMemcpyAsync#2 pass#2"),
    "vllm-pp-send-buffer": race("graphs", "RACE02 certain hipMemcpyPeerAsync#1 hipGraphLaunch#2"),
    "lead-vllm-39568": race(
        "slots",
        "RACE04 certain hipMemcpyAsync#2 hipEventSynchronize#1",  # what it waits for is read
        "RACE04 certain hipMemcpyAsync#2 synctrace_host_read#1",
    ),
    # use-after-free-in-flight: the runtime waits, no document says so
    "opencv-local-constants": Expected(
        "lifetime",
        ("LIFE04 certain hipMemcpyAsync#1 hipHostUnregister#1",),
        {"hip-6.3": (_UNREGISTERED,), "hip-7": (_UNREGISTERED,)},
        shows=False,
    ),
    "hecbench-free-before-wait": Expected(
        "lifetime", ("LIFE01 latent hipMemcpyAsync#1 hipHostFree#1",), shows=False
    ),
    "kokkos-free-no-sync": Expected(
        "lifetime", _LATENT_BLOCK, {"hip-7": _CERTAIN_BLOCK}, shows=False
    ),
    "lead-vllm-29623": race("lifetime", "LIFE01 certain hipMemcpyAsync#1 hipFreeAsync#1"),
    # allocator-reuse: the program's own allocator, which HIP does not see
    "torchrec-ems-record-stream": race("allocators", "RACE02 certain hipMemcpyAsync#1 fill#2"),
    "pytorch-ddp-nccl-flatten": race(
        "allocators", "RACE02 certain add#1 fill#2", "RACE03 certain add#1 fill#2"
    ),
    "sglang-mix-indices": race("allocators", "RACE02 certain pass#1 fill#2"),
    # event-misuse
    "vulkan-events-not-submitted": race("events", "RACE01 certain fill#1 pass#1"),
    "cucascade-cross-device-event": race("events", _STORES),
    "wait-before-record": race("events", "RACE01 certain fill#1 pass#1"),
    # default-stream
    "miopen-null-stream-copy": race(
        "defaults", "RACE01 certain fill#1 hipMemcpy#1", "RACE01 certain hipMemcpy#1 pass#1"
    ),
    "fvdb-missing-stream-arg": race(
        "defaults", "RACE01 certain fill#1 pass#1", "RACE01 certain pass#1 pass#2"
    ),
    # peer-copy
    "hip-memcpypeer-both": race("peers", "RACE01 certain fill#1 hipMemcpyPeerAsync#1"),
    "ggml-virtual-device-copy": race("peers", "RACE01 certain hipMemcpyAsync#1 pass#1"),
    # graph-input-reuse, capture
    "ggml-ubatch-input-war": race("graphs", "RACE05 certain hipGraphLaunch#1 pending_sources#1"),
    "ort-captured-staging": race("graphs", "LIFE02 certain hipGraphLaunch#1"),
    "pytorch-cublas-workspace-graphs": race("graphs", "LIFE02 certain hipGraphLaunch#1"),
    # multi-thread
    "threaded-pg": race(
        "threads",
        "RACE01 certain fill#1 hipMemcpyAsync#1",
        "RACE01 certain hipMemcpyAsync#1 pass#1",
    ),
    # redundant-sync
    # Once a copy was waited for the host may write its source again, so the first such wait may be
    # needed: those before a copy are not, and then neither is the one behind the graph.
    "ggml-sassassasg": Expected(
        "syncs",
        (
            _syncs("SYNC01 provable", 1, 3, 6, 8),
            _syncs("SYNC01 provable", 5, 10),
        ),
        shows=False,
    ),
    "tornado-drained-stream": Expected(
        "syncs",
        (_syncs("SYNC01 provable", 2, 3),),
        shows=False,
    ),
    "thrust-double-sync": Expected(
        "syncs", ("SYNC01 provable hipStreamSynchronize#1",), shows=False
    ),
    "tk-consecutive-syncs": Expected(
        "syncs",
        ("SYNC01 provable hipDeviceSynchronize#1", "SYNC01 provable hipStreamSynchronize#1"),
        shows=False,
    ),
    "luminal-d2d-sync": Expected("syncs", ("SYNC01 provable hipStreamSynchronize#1",), shows=False),
    "paddle-per-op-sync": Expected(
        "syncs",
        (_syncs("SYNC01 provable", 1, 2),),
        shows=False,
    ),
    "vllm-tolist-stream-sync": Expected(
        "syncs", ("SYNC02 over-broad hipStreamSynchronize#1",), shows=False
    ),
    "thrust-device-sync": Expected(
        "syncs", ("SYNC02 over-broad hipDeviceSynchronize#1",), shows=False
    ),
    "sglang-seqlens-sync": Expected("syncs", (), shows=False),
    # false-positive traps: the race is the same shape without its order
    "same-stream-d2h-then-reuse": race(
        "traps",
        "RACE01 certain hipGraphLaunch#1 hipGraphLaunch#2",
        "RACE02 certain hipMemcpyAsync#1 hipGraphLaunch#2",
    ),
    "legacy-default-implicit": race(
        "traps",
        "RACE01 certain fill#1 pass#1",
        "RACE01 certain pass#1 pass#2",
        "RACE02 certain pass#1 pass#2",
    ),
    "pageable-staged": race("traps", _STORES),
    "pageable-local-freed": race("traps", _STORES),
    # Ordered by CUDA alone. Two buffers, each read and written by both launches.
    "graph-exec-self-order": race(
        "graphs",
        *["RACE01 certain hipGraphLaunch#1 hipGraphLaunch#2"] * 2,
        "RACE02 certain hipGraphLaunch#1 hipGraphLaunch#2",
        *["RACE03 certain hipGraphLaunch#1 hipGraphLaunch#2"] * 2,
    ),
    "mallocasync-same-stream-reuse": race("traps", "LIFE01 certain fill#1 hipFreeAsync#1"),
    "mallocasync-event-reuse": Expected(
        "traps",
        ("LIFE01 certain fill#1 hipFreeAsync#1",),
        # Right: the pool itself keeps what was freed from who has not waited, so no access needs
        # the event. Without the wait the pool may have to give another block: memory, no race.
        whole=("SYNC01 provable hipStreamWaitEvent#1",),
    ),
    "pinned-cache-events": race("traps", _STORES),
    "unrecorded-event-first-lap": race("traps", _STORES),
    "ipc-host-sync": race("threads", "RACE01 certain fill#1 pass#1"),
    "disjoint-slices": race("traps", _STORES),
    "nonblocking-same-stream-consumer": race("traps", "RACE01 certain hipMemcpyAsync#1 pass#1"),
}

# Cases that HIP cannot express, each with the reason.
WITHOUT = {
    "vulkan-transfer-queue-waw": (
        "work of one HIP stream is ordered whatever it is submitted in, so there is nothing like"
        " two submits of one Vulkan queue without a semaphore"
    ),
}

# Beyond the catalogue: what HIP has besides.
MORE: dict[str, Expected] = {
    "untold-read": race("d2h"),  # a load is no call: what nobody tells is not found
    "one-allocation": Expected(
        "slots",
        (
            "RACE01 certain hipMemcpyAsync#2 pass#2",
            "RACE02 range-guess pass#1 hipMemcpyAsync#2",
        ),
        # Right as a guess, wrong of this program: its kernel reads one slot, but how far a kernel
        # reads behind its pointer is not known, and both slots lie in one allocation.
        whole=("RACE02 range-guess pass#1 hipMemcpyAsync#2",),
    ),
    "destination-freed": race("lifetime", "LIFE01 certain hipMemcpyAsync#1 free#1"),
    "used-after-free": Expected("lifetime", ("LIFE05 certain hipFreeAsync#1 add#1",), shows=False),
    "one-event-two-streams": race("events", "RACE01 certain fill#1 pass#1"),
    "recorded-again": race("events", "RACE01 certain fill#2 pass#1"),
    "query": race("events", _STORES),
    "per-thread-stream": race("defaults", "RACE01 certain fill#1 pass#1"),
    "pool-block-given-back": race("graphs", "LIFE02 certain hipGraphLaunch#1"),
    "branches": race("graphs", "RACE06 certain hipGraphLaunch#1"),
    "one-stream": Expected("threads", (), shows=False),
    # The host may store into what the stream has read, once it has waited for that.
    "refilled-by-stores": Expected(
        "syncs",
        ("SYNC01 provable " + " ".join(f"hipStreamSynchronize#{n}" for n in (1, 3, 5)),),
        shows=False,
    ),
    "stores-told": Expected(
        "syncs",
        ("SYNC01 provable " + " ".join(f"hipStreamSynchronize#{n}" for n in (1, 2, 3)),),
        shows=False,
    ),
}
