"""What the trace tests share: small traces and a way to say `this fails with that sentence`."""

from collections.abc import Callable
from pathlib import Path

import pytest

from synctrace.tracer.errors import EXIT_ERROR, SynctraceError
from synctrace.tracer.writer import TraceWriter

Refuses = Callable[..., str]


@pytest.fixture
def refuses() -> Refuses:
    """Call something that must fail for the user: one sentence, exit code 2, holding the words."""

    def check(words: str, function: Callable[..., object], *arguments: object) -> str:
        with pytest.raises(SynctraceError) as caught:
            function(*arguments)
        text = str(caught.value)
        assert words in text
        assert caught.value.exit_code == EXIT_ERROR
        assert "\n" not in text
        return text

    return check


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A closed trace: three batches of 50 calls and stacks, two ops."""
    path = tmp_path / "small.synctrace"
    with TraceWriter(path, {"profile": "catalogue"}) as writer:
        for first in (1, 51, 101):
            ids = list(range(first, first + 50))
            writer.append("call", {"id": ids, "name": [f"call{i}" for i in ids]})
            writer.append("stack", {"id": ids, "frames": [[i] * (i % 4) for i in ids]})
            writer.flush()
        writer.append("op", {"id": [0, 1], "ticket_c": [0, 2], "accesses": [[1], [2, 3]]})
    return path
