"""The functions of HIP that order, touch or hold something, and what each is.

A function that is not here counts only if work of a device came of it (`Call.work`). `_spt`, by
which a program is compiled for per-thread default streams, is left off the name.
"""

from dataclasses import dataclass
from enum import Enum, auto

from synctrace.tracer.kinds import Kind
from synctrace.tracer.rocpd.arguments import Direction


class Shape(Enum):
    """How the arguments of a copy or fill tell its bytes."""

    LINEAR = auto()
    ROWS = auto()  # width, height and pitches
    TO_UNKNOWN = auto()  # the target is a symbol or an array
    FROM_UNKNOWN = auto()  # the source is one
    UNKNOWN = auto()  # both, or all in a structure that is not in the database


@dataclass(frozen=True)
class Copy:
    """A copy. `direction`: by its name; None: by parameter `kind`, or by what is copied."""

    shape: Shape
    is_async: bool
    direction: Direction | None = None
    peer: bool = False
    with_stream: bool = False

    @property
    def names_stream(self) -> bool:
        """Whether it has a parameter for its stream; else it is on the null stream."""
        return self.is_async or self.with_stream


@dataclass(frozen=True)
class Fill:
    """A fill of elements of `unit` bytes."""

    shape: Shape
    is_async: bool
    unit: int = 1

    @property
    def names_stream(self) -> bool:
        """Whether it has a parameter for its stream; else it is on the null stream."""
        return self.is_async


@dataclass(frozen=True)
class Allocation:
    """Memory comes to life."""

    kind: Kind


@dataclass(frozen=True)
class Release:
    """Memory ends, or is registered no more."""

    kind: Kind


@dataclass(frozen=True)
class Plain:
    """All else that has a kind: its stream, event or executable graph says the rest."""

    kind: Kind
    stream: bool = False
    event: bool = False
    executable: bool = False


class Special(Enum):
    """What needs more than a row."""

    SET_DEVICE = auto()
    REGISTER = auto()
    EVENT_NODE = auto()  # an event or semaphore inside a graph that acts at each launch
    FOREIGN_EVENT = auto()  # an event of another process is opened
    UNKNOWN_ORDER = auto()  # orders by values in memory or by what is no part of HIP


Function = Copy | Fill | Allocation | Release | Plain | Special

HOST_ALLOCATIONS = (
    *("hipHostMalloc", "hipHostAlloc", "hipMallocHost", "hipMemAllocHost", "hipExtHostAlloc"),
)
_SYNC_AND_ASYNC = ((False, ""), (True, "Async"))


def _copies() -> dict[str, Function]:
    linear, rows = Shape.LINEAR, Shape.ROWS
    found: dict[str, Function] = {
        "hipMemcpyWithStream": Copy(linear, False, with_stream=True),
        "hipMemcpyBatchAsync": Copy(Shape.UNKNOWN, True),
        "hipMemcpy3DBatchAsync": Copy(Shape.UNKNOWN, True),
        "hipMemcpyAtoD": Copy(Shape.FROM_UNKNOWN, False, Direction.D2D),
        "hipMemcpyDtoA": Copy(Shape.TO_UNKNOWN, False, Direction.D2D),
        "hipMemcpyAtoA": Copy(Shape.UNKNOWN, False, Direction.D2D),
        "hipMemcpy2DArrayToArray": Copy(Shape.UNKNOWN, False, Direction.D2D),
        "hipMemcpyFromArray": Copy(Shape.FROM_UNKNOWN, False),
        "hipMemcpyToArray": Copy(Shape.TO_UNKNOWN, False),
    }
    for is_async, end in _SYNC_AND_ASYNC:
        found |= {
            f"hipMemcpy{end}": Copy(linear, is_async),
            f"hipMemcpyHtoD{end}": Copy(linear, is_async, Direction.H2D),
            f"hipMemcpyDtoH{end}": Copy(linear, is_async, Direction.D2H),
            f"hipMemcpyDtoD{end}": Copy(linear, is_async, Direction.D2D),
            f"hipMemcpyPeer{end}": Copy(linear, is_async, Direction.D2D, peer=True),
            f"hipMemcpy2D{end}": Copy(rows, is_async),
            f"hipMemcpyToSymbol{end}": Copy(Shape.TO_UNKNOWN, is_async),
            f"hipMemcpyFromSymbol{end}": Copy(Shape.FROM_UNKNOWN, is_async),
            f"hipMemcpyAtoH{end}": Copy(Shape.FROM_UNKNOWN, is_async, Direction.D2H),
            f"hipMemcpyHtoA{end}": Copy(Shape.TO_UNKNOWN, is_async, Direction.H2D),
            f"hipMemcpy2DToArray{end}": Copy(Shape.TO_UNKNOWN, is_async),
            f"hipMemcpy2DFromArray{end}": Copy(Shape.FROM_UNKNOWN, is_async),
        }
        for name in (
            "hipMemcpy3D",
            "hipDrvMemcpy3D",
            "hipMemcpyParam2D",
            "hipDrvMemcpy2DUnaligned",
        ):
            found[name + end] = Copy(Shape.UNKNOWN, is_async)
        found[f"hipMemcpy3DPeer{end}"] = Copy(Shape.UNKNOWN, is_async, Direction.D2D, peer=True)
    return found


def _fills() -> dict[str, Function]:
    found: dict[str, Function] = {}
    for is_async, end in _SYNC_AND_ASYNC:
        found[f"hipMemset{end}"] = Fill(Shape.LINEAR, is_async)
        found[f"hipMemset2D{end}"] = Fill(Shape.ROWS, is_async)
        found[f"hipMemset3D{end}"] = Fill(Shape.UNKNOWN, is_async)
        for bits in (8, 16, 32):
            found[f"hipMemsetD{bits}{end}"] = Fill(Shape.LINEAR, is_async, bits // 8)
            found[f"hipMemsetD2D{bits}{end}"] = Fill(Shape.ROWS, is_async, bits // 8)
    return found


def _memory() -> dict[str, Function]:
    device, pinned = Allocation(Kind.ALLOC_DEVICE), Allocation(Kind.ALLOC_PINNED)
    pool, managed = Allocation(Kind.ALLOC_ASYNC), Allocation(Kind.ALLOC_MANAGED)
    host = Release(Kind.FREE_HOST)
    found: dict[str, Function] = dict.fromkeys(
        ("hipMalloc", "hipExtMallocWithFlags", "hipMallocPitch", "hipMemAllocPitch", "hipMalloc3D"),
        device,
    )
    found |= dict.fromkeys(HOST_ALLOCATIONS, pinned)
    found |= dict.fromkeys(("hipMallocAsync", "hipMallocFromPoolAsync"), pool)
    found |= dict.fromkeys(("hipHostFree", "hipFreeHost"), host)
    found |= {
        "hipMallocManaged": managed,
        "hipFree": Release(Kind.FREE),
        "hipFreeAsync": Release(Kind.FREE_ASYNC),
        "hipHostRegister": Special.REGISTER,
        "hipHostUnregister": Release(Kind.HOST_UNREGISTER),
    }
    return found


def _work() -> dict[str, Function]:
    names = (
        *("hipLaunchKernel", "hipExtLaunchKernel", "hipLaunchCooperativeKernel"),
        *("hipModuleLaunchKernel", "hipExtModuleLaunchKernel", "hipHccModuleLaunchKernel"),
        *("hipModuleLaunchCooperativeKernel", "hipLaunchKernelExC", "hipDrvLaunchKernelEx"),
        *("hipLaunchByPtr", "hipExtLaunchMultiKernelMultiDevice"),
        *("hipLaunchCooperativeKernelMultiDevice", "hipModuleLaunchCooperativeKernelMultiDevice"),
    )
    found: dict[str, Function] = dict.fromkeys(names, Plain(Kind.KERNEL, stream=True))
    found["hipGraphLaunch"] = Plain(Kind.GRAPH_LAUNCH, stream=True, executable=True)
    found |= dict.fromkeys(
        ("hipLaunchHostFunc", "hipStreamAddCallback"), Plain(Kind.HOST_FUNC, stream=True)
    )
    return found


def _order() -> dict[str, Function]:
    of_stream, of_event = {"stream": True}, {"event": True}
    record = Plain(Kind.EVENT_RECORD, stream=True, event=True)
    begin = Plain(Kind.CAPTURE_BEGIN, stream=True)
    found: dict[str, Function] = {
        "hipSetDevice": Special.SET_DEVICE,
        "hipStreamDestroy": Plain(Kind.STREAM_DESTROY, **of_stream),
        "hipStreamSynchronize": Plain(Kind.STREAM_SYNC, **of_stream),
        "hipStreamQuery": Plain(Kind.STREAM_QUERY, **of_stream),
        "hipDeviceSynchronize": Plain(Kind.DEVICE_SYNC),
        "hipCtxSynchronize": Plain(Kind.DEVICE_SYNC),
        "hipDeviceReset": Plain(Kind.DEVICE_SYNC),
        "hipEventRecord": record,
        "hipEventRecordWithFlags": record,
        "hipStreamWaitEvent": Plain(Kind.EVENT_WAIT, stream=True, event=True),
        "hipEventSynchronize": Plain(Kind.EVENT_SYNC, **of_event),
        "hipEventQuery": Plain(Kind.EVENT_QUERY, **of_event),
        "hipEventDestroy": Plain(Kind.EVENT_DESTROY, **of_event),
        "hipStreamBeginCapture": begin,
        "hipStreamBeginCaptureToGraph": begin,
        "hipStreamEndCapture": Plain(Kind.CAPTURE_END, stream=True),
        "hipGraphExecDestroy": Plain(Kind.GRAPH_DESTROY, executable=True),
    }
    return found


def _lost() -> dict[str, Function]:
    values = (
        *("hipStreamWaitValue32", "hipStreamWaitValue64", "hipStreamBatchMemOp"),
        *("hipStreamWriteValue32", "hipStreamWriteValue64"),
        *("hipSignalExternalSemaphoresAsync", "hipWaitExternalSemaphoresAsync"),
    )
    found: dict[str, Function] = dict.fromkeys(values, Special.UNKNOWN_ORDER)
    nodes = (
        *("hipGraphAddEventRecordNode", "hipGraphAddEventWaitNode"),
        *("hipGraphAddExternalSemaphoresSignalNode", "hipGraphAddExternalSemaphoresWaitNode"),
        "hipGraphAddBatchMemOpNode",
    )
    found |= dict.fromkeys(nodes, Special.EVENT_NODE)
    found["hipIpcOpenEventHandle"] = Special.FOREIGN_EVENT
    return found


FUNCTIONS: dict[str, Function] = _copies() | _fills() | _memory() | _work() | _order() | _lost()
PER_THREAD = "_spt"
# They make what is known from its first use on: the handle is not in the database, its flags are.
STREAM_CREATIONS = (
    *("hipStreamCreate", "hipStreamCreateWithFlags", "hipStreamCreateWithPriority"),
    "hipExtStreamCreateWithCUMask",
)
EVENT_CREATIONS = ("hipEventCreate", "hipEventCreateWithFlags")
EVENT_RECORD_EXTERNAL = 1  # of hipEventRecordWithFlags
EVENT_WAIT_EXTERNAL = 1  # of hipStreamWaitEvent
EVENT_WITHOUT_FENCE = 0x20000000  # hipEventDisableSystemFence
STREAM_NONBLOCKING = 1


def function_of(name: str) -> Function | None:
    """What the function of this name is; None: nothing that orders, touches or holds something."""
    return FUNCTIONS.get(name.removesuffix(PER_THREAD))
