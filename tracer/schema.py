"""The trace contract: every table of a NAME.synctrace folder, column by column.

What holds for all of them stands at the head of docs/trace.md, which tracer/describe.py prints.
"""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pyarrow as pa

FORMAT = "synctrace"
VERSION = 1
META_FILE = "meta.json"

U8, U32, U64 = pa.uint8(), pa.uint32(), pa.uint64()
I32, I64, STR = pa.int32(), pa.int64(), pa.string()
IDS = pa.list_(pa.field("item", U32, nullable=False))
ADDRESSES = pa.list_(pa.field("item", U64, nullable=False))


@dataclass(frozen=True)
class Column:
    """One column: its type and one sentence with the unit."""

    name: str
    type: pa.DataType
    doc: str
    nullable: bool = False


@dataclass(frozen=True)
class Table:
    """One table of the trace and what a row of it is."""

    name: str
    doc: str
    columns: tuple[Column, ...]

    @cached_property
    def schema(self) -> pa.Schema:
        """Arrow schema with the contract's version in its metadata."""
        fields = [pa.field(c.name, c.type, nullable=c.nullable) for c in self.columns]
        return pa.schema(fields, metadata={"synctrace": str(VERSION), "table": self.name})


def _c(name: str, type_: pa.DataType, doc: str, nullable: bool = False) -> Column:
    return Column(name, type_, doc, nullable)


OP = Table(
    "op",
    "One recorded call. It runs on the host from C to R and, where it enqueues work, on its actor.",
    (
        _c("id", U64, "Name of the op, unique in the trace, growing with ticket_c."),
        _c("ticket_c", U64, "Ticket taken when the call was entered."),
        _c("ticket_r", U64, "Ticket taken when the call had returned; greater than ticket_c."),
        _c("kind", U8, "What it does: kinds.Kind."),
        _c("level", U8, "Layer that made the call: kinds.Level."),
        _c("flags", U32, "What happened to it: kinds.Flag, or-ed."),
        _c("thread", U32, "actor.id of the calling host thread."),
        _c("actor", U32, "actor.id that executes it or is waited for; 0: the host thread alone."),
        _c("peer", U32, "actor.id of the other side of a copy (the source's backend); 0: none."),
        _c("event", U32, "event.id recorded, waited for, signalled or queried; 0: none."),
        _c("graph", U32, "graph.id launched, captured into or destroyed; 0: none."),
        _c("version", U32, "Version of that graph's executable; counts updates from 0."),
        _c("accesses", IDS, "access.id of each range this op touches itself."),
        _c("access_set", U32, "access_set.id touched besides (graphs, stored once); 0: none."),
        _c("site", U32, "site.id of the calling place; 0: unknown."),
        _c("scope", U32, "scope.id of the innermost scope around it; 0: none."),
        _c("call", U32, "call.id of the function called; 0: unknown."),
        _c("parent", U64, "op.id of the enclosing recorded op.", True),
        _c("rc", I32, "Return code as the API gave it; 0 where it has none."),
        _c("device", I32, "Device ordinal current or addressed; -1: none."),
        _c("t_c", I64, "Time the call was entered, ns."),
        _c("t_r", I64, "Time the call had returned, ns."),
        _c("t_s", I64, "Time its device work started, ns; null: see device_work.", True),
        _c("t_e", I64, "Time its device work ended, ns; null: see device_work.", True),
        _c("cpu_ns", I64, "Thread CPU time within the call, ns; host waits only.", True),
    ),
)

DEVICE_WORK = Table(
    "device_work",
    "When a device worked for an op, as it told later (record --device-times); of one op perhaps "
    "several.",
    (
        _c("op", U64, "op.id that gave the work."),
        _c("t_s", I64, "Time it started, ns."),
        _c("t_e", I64, "Time it ended, ns."),
    ),
)

ACCESS = Table(
    "access",
    "One distinct way of touching bytes; ops hold ids. [lo, hi) is the certain part.",
    (
        _c("id", U32, "Name of the access."),
        _c("storage", U32, "storage.id whose bytes are touched; 0: unknown memory."),
        _c("buffer", U32, "buffer.id by which the user names them; 0: unnamed."),
        _c("lo", U64, "First certain byte, offset in the storage."),
        _c("hi", U64, "End of the certain part, bytes; equal to lo where nothing is certain."),
        _c("upper_lo", U64, "First byte possibly touched."),
        _c("upper_hi", U64, "End of the bytes possibly touched."),
        _c("mode", U8, "Read, write, …: kinds.Mode."),
        _c("extent", U8, "How well the range is known: kinds.Extent."),
        _c("origin", U8, "Where the knowledge comes from: kinds.Origin."),
        _c("pitch", U64, "Strided ranges: distance of rows, bytes; 0: linear."),
        _c("width", U64, "Strided ranges: bytes touched in a row; 0: linear."),
        _c("height", U64, "Strided ranges: number of rows; 0: linear."),
    ),
)

ACCESS_SET = Table(
    "access_set",
    "A list of accesses stored once and used by many ops: the range set of a graph version.",
    (
        _c("id", U32, "Name of the set."),
        _c("accesses", IDS, "access.id of its members."),
    ),
)

STORAGE = Table(
    "storage",
    "One life of a piece of memory. Lives of one address are different storages.",
    (
        _c("id", U32, "Name of the storage."),
        _c("name", STR, "Name for reports: the allocator's or the user's."),
        _c("device", I32, "Device that holds it; -1: host."),
        _c("base", U64, "Address or fake base it was known by."),
        _c("size", U64, "Bytes."),
        _c("handle", U64, "Handle of the owning buffer object; 0: none."),
        _c("generation", U32, "n-th life of this handle or address, from 1."),
        _c("born", U64, "Ticket at which it came to life."),
    ),
)

MEMORY = Table(
    "memory",
    "From this ticket on, these bytes of the storage are memory of this kind.",
    (
        _c("storage", U32, "storage.id."),
        _c("lo", U64, "First byte, offset in the storage."),
        _c("hi", U64, "End, bytes."),
        _c("kind", U8, "kinds.MemoryKind."),
        _c("since", U64, "Ticket from which it holds."),
    ),
)

BUFFER = Table(
    "buffer",
    "A named view of storage: a tensor, an allocation, a slice.",
    (
        _c("id", U32, "Name of the buffer."),
        _c("storage", U32, "storage.id it lies in."),
        _c("lo", U64, "First byte, offset in the storage."),
        _c("hi", U64, "End, bytes."),
        _c("name", STR, "The user's name for it."),
        _c("usage", U8, "kinds.BufferUsage."),
    ),
)

ACTOR = Table(
    "actor",
    "A timeline: host thread, stream, ggml backend or host callback.",
    (
        _c("id", U32, "Name of the actor."),
        _c("kind", U8, "kinds.ActorKind."),
        _c("name", STR, "Name for reports."),
        _c("device", I32, "Device ordinal; -1: host."),
        _c("flags", U32, "kinds.StreamFlag, or-ed; 0 for threads."),
        _c("handle", U64, "Stream or backend handle; OS thread id of a thread."),
        _c("generation", U32, "n-th life of this handle, from 1."),
        _c("born", U64, "Ticket at which it was first seen."),
    ),
)

EVENT = Table(
    "event",
    "One life of an event, semaphore or host signal.",
    (
        _c("id", U32, "Name of the event."),
        _c("name", STR, "Name for reports."),
        _c("device", I32, "Device ordinal; -1: host."),
        _c("handle", U64, "Handle."),
        _c("generation", U32, "n-th life of this handle, from 1."),
        _c("born", U64, "Ticket at which it was first seen."),
    ),
)

GRAPH = Table(
    "graph",
    "One version of an executable graph and the ranges it touches.",
    (
        _c("id", U32, "Name of the graph."),
        _c("version", U32, "Version of the executable; counts updates from 0."),
        _c("name", STR, "Name for reports."),
        _c("handle", U64, "Handle."),
        _c("generation", U32, "n-th life of this handle, from 1."),
        _c("access_set", U32, "access_set.id of all its ranges; 0: none known."),
        _c("nodes", U32, "Number of its nodes."),
        _c(
            "operations",
            STR,
            "Its distinct operations, in order of first use; the first 200 bytes.",
        ),
    ),
)

NODE = Table(
    "node",
    "One node of a graph version whose captured calls are known.",
    (
        _c("graph", U32, "graph.id."),
        _c("version", U32, "graph.version."),
        _c("node", U32, "Number of the node within the graph."),
        _c("kind", U8, "kinds.Kind."),
        _c("name", STR, "Kernel or operation."),
        _c("accesses", IDS, "access.id of each range it touches."),
    ),
)

NODE_EDGE = Table(
    "node_edge",
    "An edge between two nodes of a graph version.",
    (
        _c("graph", U32, "graph.id."),
        _c("version", U32, "graph.version."),
        _c("first", U32, "node.node that comes first."),
        _c("second", U32, "node.node that waits for it."),
    ),
)

SITE = Table(
    "site",
    "A calling place: a stack and, where a function calls in a loop, the ordinal in its scope.",
    (
        _c("id", U32, "Name of the site."),
        _c("stack", U32, "stack.id; 0: no stack taken."),
        _c("ordinal", U32, "n-th call from that stack in its innermost scope, from 0."),
        _c("key", STR, "Name of the place in any run of the same files; empty: no stack."),
        _c("label", STR, "Name for reports; empty where the stack says it all."),
    ),
)

STACK = Table(
    "stack",
    "Return addresses of a call path, innermost first.",
    (
        _c("id", U32, "Name of the stack."),
        _c("frames", ADDRESSES, "frame.address of each frame, innermost first."),
    ),
)

FRAME = Table(
    "frame",
    "What lies at a return address.",
    (
        _c("address", U64, "Return address."),
        _c("module", U32, "module.id; 0: none."),
        _c("function", STR, "Function, demangled; empty where unknown."),
        _c("file", STR, "Source file; empty where unknown."),
        _c("line", U32, "Source line; 0: unknown."),
    ),
)

SCOPE = Table(
    "scope",
    "A span of the program that the user would name: a decode call, a split, a range.",
    (
        _c("id", U32, "Name of the scope."),
        _c("parent", U32, "scope.id around it; 0: none."),
        _c("kind", U8, "kinds.ScopeKind."),
        _c("name", STR, "Name for reports, without its number."),
        _c("number", U64, "n-th of its kind (within its parent, if any), from 0."),
        _c("thread", U32, "actor.id of the thread that opened it."),
        _c("since", U64, "Ticket at which it opened."),
    ),
)

CALL = Table(
    "call",
    "A recorded function.",
    (
        _c("id", U32, "Name of the call."),
        _c("name", STR, "Function as the API spells it."),
    ),
)

KERNEL = Table(
    "kernel",
    "A kernel that was launched, and what is known of its parameters (level api).",
    (
        _c("id", U32, "Name of the kernel."),
        _c("call", U32, "call.id of its launches."),
        _c("name", STR, "Its name, as the code has it, mangled."),
        _c("code", U64, "Hash of what its code object says of it; of its image, if copied (CUDA)."),
        _c("pointers", U32, "Number of its parameters that are pointers."),
        _c("guessed", U32, "Words of its by-value parameters in which pointers are looked for."),
        _c("layout_known", U8, "1: code object or driver say where its parameters lie; 0: unread."),
    ),
)

PARAMETER = Table(
    "parameter",
    "Where an access is made by a word of a kernel's parameters.",
    (
        _c("access", U32, "access.id; at most one row each."),
        _c("kernel", U32, "kernel.id."),
        _c("word", U32, "Where the word lies among the kernel's parameters, bytes."),
    ),
)

KERNEL_CODE = Table(
    "kernel_code",
    "What the code of a launched kernel does, where it was read (CUDA).",
    (
        _c("kernel", U32, "kernel.id; at most one row each."),
        _c("why", STR, "Why nothing is known of it; empty: kernel_word has all that it touches."),
        _c("waits", U8, "1: it waits for the kernels ahead of it (griddepcontrol.wait)."),
        _c("triggers", U8, "1: it lets those behind it begin (griddepcontrol.launch_dependents)."),
        _c("elsewhere", U8, "How it touches memory by no parameter: kinds.Mode; null: not.", True),
    ),
)

KERNEL_WORD = Table(
    "kernel_word",
    "What a kernel's code does with the memory that a word of its parameters leads to. Words "
    "without a row lead nowhere.",
    (
        _c("kernel", U32, "kernel.id, one whose kernel_code has no `why`."),
        _c("word", U32, "Where the word lies among the kernel's parameters, bytes."),
        _c("mode", U8, "Read, write, both, or unknown: kinds.Mode."),
    ),
)

MODULE = Table(
    "module",
    "A loaded program or library.",
    (
        _c("id", U32, "Name of the module."),
        _c("base", U64, "Load address."),
        _c("size", U64, "Bytes mapped."),
        _c("path", STR, "File."),
        _c("build_id", STR, "GNU build id, hexadecimal; empty where it has none."),
        _c("loaded", U64, "Ticket at which it was first seen."),
        _c("unloaded", U64, "Ticket at which it was gone.", True),
    ),
)

GAP = Table(
    "gap",
    "Records were lost in an interval of tickets: any order may have been made in it.",
    (
        _c("first", U64, "Ticket at which the loss began: no lost call was entered before it."),
        _c("ticket", U64, "Ticket at which it was over: every lost call had returned by then."),
        _c("thread", U32, "actor.id of the thread that lost them."),
        _c("dropped", U64, "Number of records lost."),
    ),
)

SAMPLE = Table(
    "sample",
    "One reading of a counter of the machine, where `record --sample` asked for them.",
    (
        _c("t", I64, "Time of the reading, ns."),
        _c("source", STR, "Where it was read: thread (of the program), nvidia, amd."),
        _c("subject", STR, "OS thread id (actor.handle), or device ordinal as op.device has it."),
        _c("counter", STR, "What was read, unit in the name (view sample has the list)."),
        _c("value", pa.float64(), "The reading."),
    ),
)


# Beside the tables, of CUDA programs: where kernels' code is, and copies of what is in no file.
CODE_FILE = "code.txt"


def code_copy(name: str) -> str:
    """File of a copied image of code in a trace folder."""
    return f"code-{name}.bin"


def is_code(file: str) -> bool:
    """Whether a file of this name in a trace folder is one of these."""
    return file == CODE_FILE or (file.startswith("code-") and file.endswith(".bin"))


def table_file(folder: Path, table: str) -> Path:
    """File of a table in a trace folder."""
    return folder / f"{table}.arrow"


TABLES: dict[str, Table] = {
    t.name: t
    for t in (
        OP,
        DEVICE_WORK,
        ACCESS,
        ACCESS_SET,
        STORAGE,
        MEMORY,
        BUFFER,
        ACTOR,
        EVENT,
        GRAPH,
        NODE,
        NODE_EDGE,
        SITE,
        STACK,
        FRAME,
        SCOPE,
        CALL,
        KERNEL,
        PARAMETER,
        KERNEL_CODE,
        KERNEL_WORD,
        MODULE,
        GAP,
        SAMPLE,
    )
}

# Keys of meta.json. `complete` is written false at the start and true only at an orderly end.
META: dict[str, str] = {
    "format": "Always synctrace.",
    "version": "Version of this contract.",
    "tool": "synctrace version that wrote the trace.",
    "complete": "True: nothing was lost and the trace was closed. False: some of it is missing.",
    "lost": "What was lost, in words; empty if nothing.",
    "profile": "Memory model that check uses unless told otherwise; several, separated by commas.",
    "level": "Levels recorded: app, ggml, api.",
    "source": "How it came to be: record or import.",
    "command": "Command line of the recorded program.",
    "program": "Name of the recorded program.",
    "pid": "Process id; 0 for scenarios.",
    "started": "Wall-clock start, ISO 8601, UTC; empty: not known.",
    "host": "Kernel, machine and number of cores.",
    "devices": "GPUs of the machine, an object each: vendor, name, memory, … (below the table).",
    "links": "How each two of them are connected: NVLink, xGMI or PCIe.",
    "drivers": "Their drivers: vendor, version, and the newest runtime (CUDA, ROCm) it serves.",
    "unread": "What could not be read of the machine and why, in words.",
    "versions": "Versions of what was recorded (ggml, …).",
    "via": "How calls were met: preload (by name), plugin (by slots of ggml's objects), rocprofv3 "
    "(imported from its database), or empty.",
    "counts": "Rows a table, at an orderly end.",
    "dropped": "Records dropped because a ring was full.",
    "coverage": "What was not watched: counters by name (unknown ranges, unwatched memory, …).",
    "skipped": "Keys of the sites whose syncs were left out on purpose (fault injection).",
    "forced_copies": "Pipeline copies forced on the scheduler (fault injection); 0: none were.",
    "exit": "Exit status of the program, if it ended: code, or negative signal.",
}

# Keys of the objects in keys of META that are lists of objects (tracer/machine/facts.py).
META_OBJECTS: dict[str, str] = {
    "devices": "`vendor` (nvidia, amd); `index`, by which the vendor's management library knows "
    "it; `ordinal`, by which the program does (op.device), null: hidden from it; `numbered_by`, "
    "who told the ordinal: `cuda`, `rocprofv3`, or `nvml` and `amdsmi`, which do not know what is "
    "hidden; "
    "`name`, `uuid`, `pci` (domain:bus:device.function), `architecture` (9.0, gfx942), "
    "`memory_bytes`; `pcie_generation`, `pcie_width`: the most that card and slot can do; "
    "`integrated`: shares the host's memory; `pageable_access`: reads pageable host memory by "
    "itself; `mig`, and `parts`, its slices (`uuid`, `name`, `memory_bytes`)",
    "links": "`first`, `second`: places in `devices`, from 0; `kind` (nvlink, xgmi, pcie), `path` "
    "(what lies between), `count` (lanes that are up; null: not known)",
    "drivers": "`vendor`, `version`, `runtime` (the newest it serves: CUDA 13.0, ROCm 7.0.2)",
}
