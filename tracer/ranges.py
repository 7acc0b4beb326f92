"""Storages, named buffers and accesses, each stored once."""

from synctrace.tracer.columns import Columns, Ids
from synctrace.tracer.kinds import Extent, Mode, Origin
from synctrace.tracer.rings import FIXED, RANGE, Record, text_of

_UNKNOWN = b""  # key of the access that may be anything


class Ranges:
    """Rows about bytes."""

    def __init__(self, columns: Columns, kernels: Ids) -> None:
        """`kernels`: kernel.id by the number of its call."""
        self._columns = columns
        self._kernels = kernels
        self.numbers: dict[int, int] = {}  # access.id of each record_access
        self._access_ids: dict[bytes, int] = {}
        self._buffers = Ids()
        self._storages: dict[int, tuple[str, int]] = {}
        self._unnamed: dict[int, int] = {}  # storage -> buffer that stands for all of it

    def access(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        """A record_access: threads tell the same range under different numbers."""
        (number, _) = FIXED[Record.ACCESS].unpack_from(part, start)
        self.numbers[number] = self.of(part[end - RANGE.size : end])

    def numbered(self, number: int) -> int:
        """access.id of a number in the rings; what was never told may be anything."""
        return self.numbers.get(number) or self.unknown()

    def unknown(self) -> int:
        """The access of what touches nobody knows which bytes: anything."""
        known = self._access_ids.get(_UNKNOWN)
        if known is None:
            known = self._access_ids[_UNKNOWN] = len(self._access_ids) + 1
            row = dict.fromkeys(("lo", "hi", "upper_lo", "upper_hi", "pitch", "width", "height"), 0)
            kinds = {"mode": Mode.UNKNOWN, "extent": Extent.UPPER_BOUND, "origin": Origin.GGML}
            self._columns.put("access", {"id": known, "storage": 0, "buffer": 0, **row, **kinds})
        return known

    def finish(self) -> None:
        """Rows that wait for a name which may come late."""
        for storage, buffer in self._unnamed.items():
            name, size = self._storages.get(storage, ("unknown memory", 0))
            row = {"id": buffer, "storage": storage, "lo": 0, "hi": size, "name": name, "usage": 0}
            self._columns.put("buffer", row)
        self._unnamed.clear()

    def of(self, raw: bytes) -> int:
        """access.id of a struct range."""
        known = self._access_ids.get(raw)
        if known is not None:
            return known
        number = self._access_ids[raw] = len(self._access_ids) + 1
        storage, mode, extent, origin, usage, lo, hi, *rest = RANGE.unpack(raw)
        pitch, width, height, a, b, kernel, word, name = rest
        # Of a pointer's first byte alone is certain, and what may be touched stands behind.
        upper_lo, upper_hi = (a, b) if extent == Extent.BASE_ONLY else (lo, hi)
        self._columns.put(
            "access",
            {
                "id": number,
                "storage": storage,
                "buffer": self._buffer(storage, a, b, text_of(name), usage),
                "lo": lo,
                "hi": lo if extent == Extent.UPPER_BOUND else hi,
                "upper_lo": upper_lo,
                "upper_hi": upper_hi,
                "mode": mode,
                "extent": extent,
                "origin": origin,
                "pitch": pitch,
                "width": width,
                "height": height,
            },
        )
        if kernel:
            of, _ = self._kernels.of(kernel)
            self._columns.put("parameter", {"access": number, "kernel": of, "word": word})
        return number

    def _buffer(self, storage: int, lo: int, hi: int, name: str, usage: int) -> int:
        if not storage:
            return 0
        if not name:
            buffer, new = self._buffers.of(storage)
            if new:
                self._unnamed[storage] = buffer
            return buffer
        buffer, new = self._buffers.of((storage, lo, hi, name, usage))
        if new:
            row = {"id": buffer, "storage": storage, "lo": lo, "hi": hi}
            self._columns.put("buffer", {**row, "name": name, "usage": usage})
        return buffer

    def storage(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        """A record_storage."""
        values = FIXED[Record.STORAGE].unpack_from(part, start)
        handle, base, size, born, number, device, memory, _ = values
        name = text_of(part[start + FIXED[Record.STORAGE].size : end])
        self._storages[number] = (name, size)
        self._columns.put(
            "storage",
            {
                "id": number,
                "name": name,
                "device": device,
                "base": base,
                "size": size,
                "handle": handle,
                "generation": self._columns.life("storage", handle),
                "born": born,
            },
        )
        row = {"storage": number, "lo": 0, "hi": size, "kind": memory, "since": born}
        self._columns.put("memory", row)

    def memory(self, thread: int, part: bytes, count: int, start: int, end: int) -> None:
        """A record_memory: these bytes of a storage are memory of another kind from now on."""
        storage, kind, lo, hi, since = FIXED[Record.MEMORY].unpack_from(part, start)
        row = {"storage": storage, "lo": lo, "hi": hi, "kind": kind, "since": since}
        self._columns.put("memory", row)
