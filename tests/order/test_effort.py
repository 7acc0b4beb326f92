"""Ordering a trace ends, whatever it names: after so much time, memory or so many conflicts."""

from pathlib import Path

import pytest
from small import Small

from synctrace.analyzer import effort
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.kinds import Kind, Level


def crowded(streams: int) -> Small:
    """Every stream's write races with the reads of all the others."""
    t = Small(Level.API)
    d = t.device()
    backends = [t.backend() for _ in range(streams)]
    for i, each in enumerate(backends):
        t.op(Kind.KERNEL, t.write(d, i, i + 1), actor=each)
    read = t.read(d, 0, streams)
    for each in backends:
        t.op(Kind.KERNEL, read, actor=each)
    return t


def test_what_any_program_does_is_within_it(tmp_path: Path) -> None:
    assert crowded(40).judge(tmp_path, "cuda-doc").conflicts.num_rows > 40


@pytest.mark.parametrize(
    ("limit", "value", "words"),
    [
        ("SECONDS", -1e9, "seconds"),
        ("BYTES", -(1 << 60), "MiB"),
        ("MOST_CONFLICTS", 100, "more than 100 conflicts"),
    ],
)
def test_beyond_it_there_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, value: float, words: str
) -> None:
    monkeypatch.setattr(effort, limit, value)
    with pytest.raises(SynctraceError, match=f"was given up after 80 ops on 4. timelines.*{words}"):
        crowded(40).judge(tmp_path, "cuda-doc")


def test_many_timelines_are_looked_at_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch of a hostile trace can take hours."""
    monkeypatch.setattr(effort, "SECONDS", -1e9)
    monkeypatch.setattr(effort, "_SLICE", 200_000)
    with pytest.raises(SynctraceError, match=r"given up after [1-9][0-9] ops on 10. timelines"):
        crowded(100).judge(tmp_path, "cuda-doc")


def test_tall_ranges_are_looked_at_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few ops of millions of rows each can take as long."""
    t = Small(Level.API)
    d, stream = t.device(1000), t.backend()
    tall = t.read(d, 0, 1000, pitch=2, width=1, height=500)
    for _ in range(40):
        t.op(Kind.KERNEL, tall, actor=stream)
    monkeypatch.setattr(effort, "SECONDS", -1e9)
    monkeypatch.setattr(effort, "_SLICE", 15_000)
    with pytest.raises(SynctraceError, match=r"given up after 10 ops on 3 timelines"):
        t.judge(tmp_path, "cuda-doc")


def test_slices_change_no_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = crowded(30).judge(tmp_path, "cuda-doc")
    monkeypatch.setattr(effort, "_SLICE", 1)
    one_by_one = crowded(30).judge(tmp_path, "cuda-doc")
    assert one_by_one.conflicts.equals(whole.conflicts)
    assert one_by_one.needed.equals(whole.needed)
