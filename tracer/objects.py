"""Timelines, events, scopes, modules and call sites: rows with little logic."""

from synctrace.tracer.columns import Columns, Ids, Row
from synctrace.tracer.kinds import ActorKind
from synctrace.tracer.rings import (
    FIXED,
    KERNEL_LAYOUT_KNOWN,
    NAMED_EVENT,
    NAMED_THREAD,
    Record,
    text_of,
    two_texts_of,
)


class Objects:
    """Rows about who and where."""

    def __init__(self, columns: Columns) -> None:
        self.modules: dict[tuple[int, str], Row] = {}  # found so far, by base and path
        self.addresses: set[int] = set()  # return addresses in any stack
        self._frames: set[int] = set()  # those told with their function and line
        self.names: dict[str, dict[int, str]] = {"actor": {}, "event": {}}  # given later, by id
        self._threads: dict[int, int] = {}  # the last actor of each thread of the system
        self._named_threads: dict[int, str] = {}  # named before any call of theirs
        self._columns = columns
        self._stacks, self._sites = Ids(), Ids()
        self.kernels = Ids()  # by the number of their call
        self._told_kernels: set[int] = set()
        self._stack_of: dict[int, int] = {}
        self._keys: dict[int, int] = {}  # of stacks
        self._call_names: dict[int, str] = {}
        self._scopes: dict[int, Row] = {}  # those whose name is to come

    def site(self, stack: int, ordinal: int, call: int) -> int:
        """Id of a calling place; by the function's name where no stack was told."""
        known = self._stack_of.get(stack, 0)
        label = "" if known else self._call_names.get(call, "unknown call")
        site, new = self._sites.of((known, ordinal, label))
        if new:
            key = f"{self._keys[known]:08x}.{ordinal}" if known else ""
            row = {"id": site, "stack": known, "ordinal": ordinal, "key": key, "label": label}
            self._columns.put("site", row)
        return site

    def finish(self) -> None:
        """Scopes that never got their name."""
        for row in self._scopes.values():
            self._columns.put("scope", row)
        self._scopes.clear()

    def frame(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        """A record_frame. Threads tell the same frame, each for itself."""
        address, line, _ = FIXED[Record.FRAME].unpack_from(part, start)
        if address in self._frames:
            return
        self._frames.add(address)
        self.addresses.discard(address)  # of a stack whose thread could not tell it
        function, file = two_texts_of(part[start + FIXED[Record.FRAME].size : end])
        row = {"address": address, "module": 0, "function": function, "file": file, "line": line}
        self._columns.put("frame", row)

    def stack(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        """A record_stack. Threads tell the same stack under different numbers."""
        number, key = FIXED[Record.STACK].unpack_from(part, start)
        at = start + FIXED[Record.STACK].size
        frames = tuple(
            int.from_bytes(part[a : a + 8], "little") for a in range(at, at + count * 8, 8)
        )
        stack, new = self._stacks.of((frames, key))  # the key stands for the call, too
        self._stack_of[number] = stack
        if new:
            self._keys[stack] = key
            self.addresses.update(a for a in frames if a not in self._frames)
            self._columns.put("stack", {"id": stack, "frames": frames})

    def call(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        """A record_call. Of kernels, each thread that launches one may tell it."""
        (number, _) = FIXED[Record.CALL].unpack_from(part, start)
        if number in self._call_names:
            return
        self._call_names[number] = text_of(part[start + FIXED[Record.CALL].size : end])
        self._columns.put("call", {"id": number, "name": self._call_names[number]})

    def kernel(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        """A record_kernel."""
        code, call, pointers, guessed, flags = FIXED[Record.KERNEL].unpack_from(part, start)
        kernel, _ = self.kernels.of(call)
        if kernel in self._told_kernels:
            return
        self._told_kernels.add(kernel)
        self._columns.put(
            "kernel",
            {
                "id": kernel,
                "call": call,
                "name": text_of(part[start + FIXED[Record.KERNEL].size : end]),
                "code": code,
                "pointers": pointers,
                "guessed": guessed,
                "layout_known": int(bool(flags & KERNEL_LAYOUT_KNOWN)),
            },
        )

    def actor(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        """A record_actor."""
        handle, born, number, device, flags, kind = FIXED[Record.ACTOR].unpack_from(part, start)
        if kind == ActorKind.THREAD:
            self._threads[handle] = number
            if handle in self._named_threads:
                self.names["actor"][number] = self._named_threads.pop(handle)
        self._columns.put(
            "actor",
            {
                "id": number,
                "kind": kind,
                "name": text_of(part[start + FIXED[Record.ACTOR].size : end]),
                "device": device,
                "flags": flags,
                "handle": handle,
                "generation": self._columns.life("actor", handle),
                "born": born,
            },
        )

    def event(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        """A record_event."""
        handle, born, number, device = FIXED[Record.EVENT].unpack_from(part, start)
        name = text_of(part[start + FIXED[Record.EVENT].size : end])
        self._columns.put(
            "event",
            {
                "id": number,
                "name": name or f"event {number}",
                "device": device,
                "handle": handle,
                "generation": self._columns.life("event", handle),
                "born": born,
            },
        )

    def name(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        """A record_name: rows that may be written already are named when the trace is closed."""
        which, what, _ = FIXED[Record.NAME].unpack_from(part, start)
        name = text_of(part[start + FIXED[Record.NAME].size : end])
        if what != NAMED_THREAD:
            self.names["event" if what == NAMED_EVENT else "actor"][which] = name
        elif which in self._threads:
            self.names["actor"][self._threads[which]] = name
        else:
            self._named_threads[which] = name

    def module(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        """A record_module. Every look of the recorder tells all of them again."""
        base, size, loaded = FIXED[Record.MODULE].unpack_from(part, start)
        path = text_of(part[start + FIXED[Record.MODULE].size : end])
        if path.startswith("linux-vdso"):
            return
        row = {"base": base, "size": size, "path": path, "loaded": loaded}
        self.modules.setdefault((base, path), row)

    def scope(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        """A record_scope."""
        number, since, scope, parent, kind, named = FIXED[Record.SCOPE].unpack_from(part, start)
        row = {
            "id": scope,
            "parent": parent,
            "kind": kind,
            "name": text_of(part[start + FIXED[Record.SCOPE].size : end]),
            "number": number,
            "thread": thread,
            "since": since,
        }
        if named:
            self._columns.put("scope", row)
        else:
            self._scopes[scope] = row

    def rename(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        """A record_rename: the scope has ended and has a name."""
        (scope, _) = FIXED[Record.RENAME].unpack_from(part, start)
        row = self._scopes.pop(scope, None)
        if row:
            name = text_of(part[start + FIXED[Record.RENAME].size : end])
            self._columns.put("scope", {**row, "name": name})
