"""The closed vocabularies of a trace: op kinds, flags, access modes and the like.

Numbers are stored, names are shown. A number is never reused; new ones are appended.
The names of device operations are those of the case catalogue (docs/scenarios.md).
"""

from enum import IntEnum, IntFlag


class _Number(IntEnum):
    """Looked up at every call that a program records itself: an Enum's own hash is slow."""

    __hash__ = int.__hash__


class _Bits(IntFlag):
    """As _Number, for what can be or-ed."""

    __hash__ = int.__hash__


class Kind(_Number):
    """What a recorded call does, whatever API it came from.

    A `batch` is followed by its elements: ops of its thread, its children, with Flag.BATCHED. So is
    the end of a group of collectives; streams that it joins record and wait for events, with
    Flag.IMPLIED. The event of a `value_write` and of a `value_wait` stands for one write of a value
    to an address: a wait has that of the write which made it true and has stayed true since, or, if
    there is none yet, an event of its own, which the write then has, too.
    """

    NONE = 0
    # host accesses
    HOST_READ = 1
    HOST_WRITE = 2
    # memory
    ALLOC_PINNED = 10
    ALLOC_PAGEABLE = 11
    ALLOC_DEVICE = 12
    FREE_HOST = 13
    FREE = 14
    ALLOC_ASYNC = 15
    FREE_ASYNC = 16
    CACHE_ALLOC = 17
    CACHE_FREE = 18
    RECORD_STREAM = 19
    HOST_REGISTER = 20
    HOST_UNREGISTER = 21
    ALLOC_MANAGED = 22
    ALLOC_MAPPED = 23
    ALLOC_WRITE_COMBINED = 24
    # handles
    STREAM_CREATE = 30
    STREAM_DESTROY = 31
    EVENT_CREATE = 32
    EVENT_DESTROY = 33
    GRAPH_CREATE = 34
    GRAPH_DESTROY = 35
    GRAPH_UPDATE = 36  # a new version of an executable graph
    # copies, CUDA/HIP
    MEMCPY_ASYNC_H2D = 40
    MEMCPY_ASYNC_D2H = 41
    MEMCPY_ASYNC_D2D = 42
    MEMCPY_ASYNC_PEER = 43
    MEMCPY_H2D = 44
    MEMCPY_D2H = 45
    MEMCPY_D2D = 46
    MEMCPY_H2H = 47
    MEMCPY_PEER = 48
    MEMSET_ASYNC = 49
    MEMSET = 50
    # work
    KERNEL = 60
    GRAPH_LAUNCH = 61
    HOST_FUNC = 62
    BATCH = 63  # a call whose elements, recorded behind it, are in no order among themselves
    # order
    EVENT_RECORD = 70
    EVENT_WAIT = 71
    EVENT_SYNC = 72
    EVENT_QUERY = 73
    STREAM_SYNC = 74
    STREAM_QUERY = 75
    DEVICE_SYNC = 76
    CAPTURE_BEGIN = 77
    CAPTURE_END = 78
    THREAD_SIGNAL = 79
    THREAD_WAIT = 80
    THREAD_START = 81
    THREAD_JOIN = 82
    MUTEX_UNLOCK = 83
    MUTEX_LOCK = 84
    RELEASE = 85  # annotation: what this thread did is there for whoever acquires
    ACQUIRE = 86
    VALUE_WRITE = 87  # a stream writes a value to memory; the event is (address, value)
    VALUE_WAIT = 88  # a stream waits for a value in memory
    # ggml tensors (level ggml; backend objects are the streams)
    TENSOR_SET = 90
    TENSOR_GET = 91
    TENSOR_COPY = 92
    TENSOR_MEMSET = 93
    BUFFER_CLEAR = 94
    TENSOR_SET_ASYNC = 95
    TENSOR_GET_ASYNC = 96
    TENSOR_COPY_ASYNC = 97
    # marks
    MARK = 110


# Calls that end the life of a storage. That of a block lives on after cache_free.
FREES = (Kind.FREE, Kind.FREE_HOST, Kind.FREE_ASYNC)
# Calls of a stream-ordered pool, which hands out again what was given back to it.
POOL = (Kind.ALLOC_ASYNC, Kind.FREE_ASYNC)


class Flag(_Bits):
    """What happened to this one call.

    An op is LOWERED if recorded calls of level api, its children, did its work. BATCHED ops are
    elements of their thread's last `batch`, and in no order among themselves.
    """

    FAILED = 1  # returned an error: no effect, no edge
    SKIPPED = 2  # not made on purpose (fault injection): an op that gives no edge
    CAPTURED = 4  # stored in a graph, not run
    PARENT = 8  # encloses recorded ops, which carry its edges and accesses
    BLOCKING = 16  # complete at return whatever its kind (a synchronous ggml backend)
    REFUSED = 32  # declined by the backend (cpy_tensor_async returned false): no effect
    NOOP = 64  # nothing to do: empty slot, zero bytes
    PDL = 128  # programmatic dependent launch without the in-kernel wait
    IMPLICIT_SYNC = 256  # free that waits for all streams
    UNSTAGED = 512  # pageable source read later, not staged at the call
    EXTERNAL = 1024  # external event record/wait in a capture
    NO_FENCE = 2048  # event that makes nothing visible to the host or to other devices
    PROGRAMMATIC = 4096  # event of a kernel's trigger or start, not of its end; wait for one
    OFFSET = 8192  # pointer is not the base of its allocation
    ACROSS = 16384  # between the memories of two devices
    POOL = 32768  # memory of a stream-ordered pool
    SYNC_MEMOPS = 65536  # memory or context on which operations are synchronous by request
    LOWERED = (
        131072  # done by recorded calls of level api, which carry its edges and accesses there
    )
    BATCHED = 262144  # element of its thread's last batch: in no order with the others of it
    FOREIGN = 524288  # event of another process: what is recorded on it there is not in the trace
    IMPLIED = 1048576  # made by the call around it, not by the program: its need is not judged
    # A programmatic dependent launch: PDL, if its code has no wait (kernel_code.waits). An event of
    # a kernel's trigger: PROGRAMMATIC, but for kernels behind it whose code waits.
    DEPENDENT = 2097152


NO_EFFECT = Flag.FAILED | Flag.SKIPPED | Flag.PARENT | Flag.REFUSED | Flag.NOOP


class Level(_Number):
    """Which layer made the call. Parents and children are of different levels or calls."""

    APP = 0
    GGML = 1
    API = 2


class Mode(_Number):
    """How an access touches its bytes."""

    READ = 0
    WRITE = 1
    READ_WRITE = 2
    MAY = 3  # read, write or nothing (run-time indexed, conditional)
    POISON = 4  # a discard: later reads are indeterminate
    UNKNOWN = 5
    UNUSED = 6  # not at all: a kernel's code reaches no memory by that parameter


class Extent(_Number):
    """How well the byte range is known."""

    EXACT = 0
    UPPER_BOUND = 1  # some bytes of the range; no byte is certain
    BASE_ONLY = 2  # the first byte is certain, the allocation is the upper bound


class Origin(_Number):
    """Where the knowledge of an access comes from."""

    ARGUMENT = 0  # a call's own arguments
    LAYOUT = 1  # a kernel's parameter layout
    VALUE_SCAN = 2  # a word that looks like a pointer
    GGML = 3  # a ggml tensor
    DIGEST = 4  # content changed between two looks: a write in that interval
    SYNTHETIC = 5  # assumed, for redundancy only (never proves a race)


class ActorKind(_Number):
    """What a timeline is."""

    THREAD = 0
    STREAM = 1
    BACKEND = 2  # a ggml backend object
    CALLBACK = 3


class StreamFlag(_Bits):
    """Standing properties of a stream or backend."""

    BLOCKING = 1  # orders with the legacy default stream
    NONBLOCKING = 2
    LEGACY = 4
    PER_THREAD = 8
    SYNCHRONOUS = 16  # every call is complete at return (ggml CPU backend)


class MemoryKind(_Number):
    """The kind of memory behind a storage interval."""

    UNKNOWN = 0
    PAGEABLE = 1
    PINNED = 2
    REGISTERED = 3
    DEVICE = 4
    MANAGED = 5
    MAPPED = 6
    WRITE_COMBINED = 7
    HOST = 8  # host memory of a kind the recorder cannot tell (ggml host buffers)


class BufferUsage(_Number):
    """What a named view of storage is for (ggml)."""

    ANY = 0
    WEIGHTS = 1
    COMPUTE = 2
    INPUT = 3
    OUTPUT = 4


class ScopeKind(_Number):
    """What a scope groups."""

    MARK = 0
    DECODE = 1  # one llama_decode / llama_encode call
    SCHED = 2  # one ggml_backend_sched_graph_compute_async call
    SPLIT = 3  # the inputs and the launch of one scheduler split
    RANGE = 4  # NVTX / roctx range
