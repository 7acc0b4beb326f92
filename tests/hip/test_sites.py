"""Call sites of calls that all come through one function, as those of a GPU runtime's driver do."""

from collections import Counter
from pathlib import Path

from hip import told
from hip.programs.build import Programs
from synctrace.tracer.kinds import Kind
from synctrace.tracer.reader import open_trace

SOURCE = Path(__file__).parent / "sites/paths.c"
TURNS = 200


def test_callers_behind_one_function_are_told_apart(hip_programs: Programs, tmp_path: Path) -> None:
    program = hip_programs.standin.compile(
        tmp_path / "paths", [SOURCE], "-fno-optimize-sibling-calls"
    )
    assert told.recorded([str(program)], tmp_path / "t").exit_code == 0
    trace = open_trace(tmp_path / "t")
    records = [op for op in trace.table("op").to_pylist() if op["kind"] == Kind.EVENT_RECORD]
    assert list(Counter(op["site"] for op in records).values()) == [TURNS] * 3
    # Each stack is told once, also of the caller whose frame differs from call to call.
    assert len(trace.table("stack")) < 10
