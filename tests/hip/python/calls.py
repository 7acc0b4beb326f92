"""Calls of HIP by ctypes alone: in functions, loops, threads, generators, sub-interpreters, forks.

python calls.py SCENE [ROUNDS]
"""

import atexit
import ctypes
import os
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

hip = ctypes.CDLL("libamdhip64.so.7")  # lets go of Python's lock around each call
held = ctypes.PyDLL("libamdhip64.so.7")  # keeps it
stream, event = ctypes.c_void_p(), ctypes.c_void_p()


def make() -> None:
    assert hip.hipStreamCreateWithFlags(ctypes.byref(stream), 1) == 0
    assert hip.hipEventCreateWithFlags(ctypes.byref(event), 2) == 0


def record(by: ctypes.CDLL = hip) -> None:
    by.hipEventRecord(event, stream)  # the line of every record


def first(by: ctypes.CDLL = hip) -> None:
    record(by)


def second(by: ctypes.CDLL = hip) -> None:
    record(by)


def deep(depth: int) -> None:
    if depth:
        deep(depth - 1)
    else:
        first()


def shallow(depth: int) -> None:
    if depth:
        shallow(depth - 1)
    else:
        first()


def recorded_when_asked() -> Iterator[int]:
    while True:
        record()
        yield 1


def bisect_of_python() -> Any:
    """A module of Python's own that calls what it is given, as Python code."""
    sys.modules["_bisect"] = None  # type: ignore[assignment]
    import bisect

    return bisect


def here() -> None:
    """Calls that only the whole Python stack tells apart, with Python's lock and without."""
    for _ in range(20):
        first()
        second()
        first(held)
        deep(8)
        shallow(8)
    turns = recorded_when_asked()
    for _ in range(3):
        next(turns)
    exec("[record() for _ in range(3)]")
    bisect_of_python().insort([3], 2, key=lambda item: first() or item)


def threads() -> None:
    """Python's own, and one of C that has no frame of Python."""

    def run() -> None:
        for _ in range(50):
            record()

    own = [threading.Thread(target=run) for _ in range(4)]
    for one in own:
        one.start()
    for one in own:
        one.join()
    libc = ctypes.CDLL(None)
    number = ctypes.c_ulong()
    function = ctypes.cast(hip.hipDeviceSynchronize, ctypes.c_void_p)
    libc.pthread_create(ctypes.byref(number), None, function, None)
    libc.pthread_join(number, None)


def forked() -> None:
    """A child of fork goes on in the same frames."""
    record()
    child = os.fork()
    if child == 0:
        record()
        os._exit(0)
    os.waitpid(child, 0)


def daemons() -> None:
    """Threads that are still calling when the interpreter ends."""

    calls: list[None] = []

    def run() -> None:
        while True:
            record()
            calls.append(None)

    for _ in range(3):
        threading.Thread(target=run, daemon=True).start()
    while len(calls) < 100:
        time.sleep(0.001)


class Owner:
    def __del__(self) -> None:
        hip.hipEventRecord(event, stream)


def ending() -> None:
    """Calls while the interpreter ends: by atexit, and by what is left in modules."""
    atexit.register(record)
    sys.modules["left"] = Owner()  # type: ignore[assignment]


def signals() -> None:
    """A handler of C that calls, whatever the interpreter is in the middle of."""
    alarm = ctypes.CDLL(os.environ["ALARM"])
    assert alarm.begin(event, stream) == 0
    until = time.monotonic() + 0.4
    while time.monotonic() < until:
        sorted(range(100), key=lambda item: -item)
        deep_without_calls(20)
    assert alarm.end() > 100


def deep_without_calls(depth: int) -> None:
    if depth:
        deep_without_calls(depth - 1)


def chunk_ends() -> None:
    """The same where calls take a new piece of memory for frames, and give it back."""
    alarm = ctypes.CDLL(os.environ["ALARM"])

    def at(depth: int) -> None:
        if depth:
            at(depth - 1)
        for _ in range(2000):
            large()

    assert alarm.begin(event, stream) == 0
    at(300)
    assert alarm.end() > 100


def large() -> None:
    """A frame of many names: at some depths it has no room left."""
    a = b = c = d = e = f = g = h = i = j = k = m = n = o = p = q = r = s = t = u = 0
    many = a + b + c + d + e + f + g + h + i + j
    deep_without_calls(many + k + m + n + o + p + q + r + s + t + u)


def generated() -> None:
    """Code that is made, run and gone: the next comes to lie where it was."""
    for turn in range(20):
        exec(compile("record()", f"<made {turn:02}>", "exec"), {"record": record})


def within() -> None:
    """A sub-interpreter: its frames, where they can be told."""
    import _interpreters as interpreters  # Python 3.13 and newer

    one = interpreters.create("legacy")
    interpreters.exec(
        one,
        "import ctypes\nhip = ctypes.CDLL('libamdhip64.so.7')\n"
        f"def inner():\n    hip.hipEventRecord(ctypes.c_void_p({event.value}), "
        f"ctypes.c_void_p({stream.value}))\ninner()\n",
    )
    interpreters.destroy(one)


make()
globals()[sys.argv[1]]()
hip.hipStreamSynchronize(stream)
