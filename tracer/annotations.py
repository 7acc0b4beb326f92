"""What only the program knows: which host memory it touches, and how its threads are ordered.

Under `synctrace record` and within `synctrace.record()`; elsewhere they do nothing and cost next to
nothing. C and C++ programs have the same in tracer/native/synctrace.h.
"""

from contextlib import AbstractContextManager
from typing import Any
from weakref import WeakKeyDictionary

from synctrace.tracer import binding, tell
from synctrace.tracer.kinds import Extent, Kind, Mode, ScopeKind
from synctrace.tracer.told import Memory, Signal, memory_at

tell.hide(__file__)

_READ, _WRITE = int(Mode.READ), int(Mode.WRITE)
_EXACT = int(Extent.EXACT)


def host_read(what: Any, lo: int = 0, hi: int | None = None, name: str = "") -> None:
    """The host reads bytes [lo, hi) of this object now, under this name.

    `what` has the buffer protocol (a bytearray, a contiguous NumPy array) or is a recorded memory.
    Raises TypeError for anything else, ValueError for bytes it does not have.
    """
    if binding.epoch:
        access = _access(what, lo, hi, _READ, name)
        with tell.call(Kind.HOST_READ, accesses=(access,)):
            pass


def host_write(what: Any, lo: int = 0, hi: int | None = None, name: str = "") -> None:
    """As host_read, for bytes that the host has just written, or writes next."""
    if binding.epoch:
        access = _access(what, lo, hi, _WRITE, name)
        with tell.call(Kind.HOST_WRITE, accesses=(access,)):
            pass


def release(token: object) -> None:
    """What this thread did so far is there for every thread that acquires the token afterwards.

    Put it before the store that hands work over (a queue's put, a flag). `token` is any object that
    both sides have: the item, the flag, a string. An acquire takes in every release so far: if
    several items can be on their way, the queue as token would hide races between them.
    """
    if binding.epoch:
        with tell.call(Kind.RELEASE, event=_signal(token)):
            pass


def acquire(token: object) -> None:
    """The other side of release: put it behind the load that saw what was handed over."""
    if binding.epoch:
        with tell.call(Kind.ACQUIRE, event=_signal(token)):
            pass


def mark(name: str) -> None:
    """A point of the program, by name."""
    with tell.scope(ScopeKind.MARK, name), tell.call(Kind.MARK, name=name):
        pass


def range(name: str) -> AbstractContextManager[None]:
    """A span of the program, by name: `with synctrace.range("prefill"): …`."""
    return tell.scope(ScopeKind.RANGE, name)


_signals: WeakKeyDictionary[Any, Signal] = WeakKeyDictionary()
_by_value: dict[Any, Signal] = {}  # of tokens that no weak reference can be made to


def _signal(token: object) -> Signal:
    try:
        return _signals.setdefault(token, Signal(f"token {type(token).__name__}"))
    except Exception:  # no weak reference to it, or no hash
        key = _key(token)
        found = _by_value.get(key)
        return found or _by_value.setdefault(key, Signal(f"token {_shown(token)}"))


def _key(token: object) -> object:
    try:
        hash(token)
    except Exception:  # a list, a dict: the object itself, as long as it lives
        return id(token)
    return token


def _shown(token: object) -> str:
    """Values are short: of anything else, the type says enough."""
    is_value = isinstance(token, str | bytes | int | float)
    return f"{token!r:.40}" if is_value else type(token).__name__


def _access(what: Any, lo: int, hi: int | None, mode: int, name: str) -> int:
    """Number of the access to bytes of an object."""
    if isinstance(what, Memory):
        return what.access(mode, lo, hi, name)
    address, size = bytes_of(what)
    end = size if hi is None else hi
    if not 0 <= lo <= end <= size:
        raise ValueError(f"bytes [{lo}, {end}) of {size}: give offsets within the object")
    known = memory_at(address + lo, end - lo)
    if known:
        at = address - known.base
        return known.access(mode, at + lo, at + end, name)
    number: int = binding.native["host_range"](address + lo, end - lo, mode, name)
    return number


def bytes_of(what: Any) -> tuple[int, int]:
    """Address and size of an object's bytes, by the buffer protocol or its `ptr` and `nbytes`.

    Raises TypeError for what has neither, and for bytes that do not lie one behind the other.
    """
    found = binding.native["where"](what)
    if found:
        address, size = found
        return int(address), int(size)
    pointer, size = getattr(what, "ptr", None), getattr(what, "nbytes", None)
    if isinstance(pointer, int) and isinstance(size, int):
        return pointer, size
    raise TypeError(
        f"{type(what).__name__} has no bytes to watch: give an object with the buffer protocol, "
        "like a bytearray or a contiguous NumPy array"
    )
