"""Files that are no database of rocprofv3, damaged ones, and ones with odd contents."""

import os
import random
import re
import sqlite3
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hip_rows import by_id, kinds, rows
from hip_runs import E1, HOST, MAIN, S1, S2, SIZE, A, B, Run, races
from rocpd_builder import GPU, Database, Ran

from synctrace.analyzer.check import check
from synctrace.analyzer.cli import main
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.kinds import Kind
from synctrace.tracer.reader import open_trace
from synctrace.tracer.rocpd.imported import import_database

HOW = "record with `rocprofv3 --runtime-trace -- PROGRAM` of ROCm 7 or newer"


def called(
    capsys: pytest.CaptureFixture[str], *arguments: object
) -> subprocess.CompletedProcess[str]:
    """The command, without a process of its own."""
    with pytest.raises(SystemExit) as left:
        main([str(a) for a in arguments])
    out, err = capsys.readouterr()
    assert isinstance(left.value.code, int)
    return subprocess.CompletedProcess([], left.value.code, out, err)


def database_of(path: Path, *statements: str) -> Path:
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()
    return path


def small(path: Path, schema: int = 3) -> Path:
    """A database with a race, a kernel, an event and an allocation."""
    run = Run(path, schema)
    hip = run.hip
    hip.malloc(A, B, HOST)
    hip.streams(1, 1)
    hip.copy(A, HOST, "HostToDevice", S1)
    hip.record(E1, S1)
    hip.copy(B, A, "DeviceToDevice", S2)
    hip.kernel(S2)
    hip.sync(S2)
    return run.database.close()


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.db", b"", f"empty.db is empty: {HOW}"),
        ("text.db", b"no database\n", f"text.db is no SQLite database: {HOW}"),
        ("short.db", b"SQLite format 3\0", "short.db is damaged"),
        ("zeros.db", b"SQLite format 3\0" + bytes(4096), "zeros.db is damaged"),
    ],
)
def test_files_that_are_no_database(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    content: bytes,
    words: str,
) -> None:
    (tmp_path / name).write_bytes(content)
    done = called(capsys, "import", tmp_path / name, "-o", tmp_path / "out")
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_a_file_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = called(capsys, "import", tmp_path / "nowhere.db")
    assert done.returncode == 2
    assert "nowhere.db (No such file or directory): give a .db file" in done.stderr


def test_a_pipe_is_not_waited_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "pipe.db")
    done = called(capsys, "import", tmp_path / "pipe.db", "-o", tmp_path / "out")
    assert done.returncode == 2
    assert "pipe.db is no SQLite database" in done.stderr


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ("song", f"no database of rocprofv3 (it has no table rocpd_region): {HOW}"),
        ("rocpd_op rocpd_api", "a database of rocmProfileData, which has no arguments of calls"),
        ("rocpd_region rocpd_string", "the arguments of the calls (there is no table rocpd_arg)"),
        ("rocpd_region rocpd_arg", "the names of the calls (there is no table rocpd_string)"),
        ("rocpd_region rocpd_string rocpd_arg", "has tables that rocprofv3 does not make (no such"),
    ],
)
def test_databases_of_others(tmp_path: Path, tables: str, words: str) -> None:
    statements = [f"CREATE TABLE {table} (a)" for table in tables.split()]
    file = database_of(tmp_path / "other.db", *statements)
    with pytest.raises(SynctraceError) as caught:
        import_database(file, tmp_path / "out")
    assert words in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("name", ["hsa_queue_create", "roctxRangePushA", "ncclAllReduce"])
def test_a_database_without_a_call_of_hip(run: Run, tmp_path: Path, name: str) -> None:
    run.hip.call(name)
    with pytest.raises(SynctraceError, match="holds no call of HIP"):
        import_database(run.database.close(), tmp_path / "out")


def test_a_database_whose_writer_was_killed(tmp_path: Path) -> None:
    file = small(tmp_path)
    file.with_name(f"{file.name}-journal").write_bytes(b"\xd9\xd5\x05\xf9 and so on")
    with pytest.raises(SynctraceError, match="was not written to its end"):
        import_database(file, tmp_path / "out")


@pytest.mark.parametrize("schema", [3, 4])
def test_a_damaged_file_is_imported_or_refused_in_a_sentence(tmp_path: Path, schema: int) -> None:
    """Whatever bytes are changed or missing: no other error, and no trace that cannot be read."""
    whole = small(tmp_path, schema).read_bytes()
    chance = random.Random(schema)
    refused = 0
    for turn in range(24):
        damaged = bytearray(whole)
        for _ in range(chance.choice((1, 8, 64))):
            damaged[chance.randrange(100, len(damaged))] = chance.randrange(256)
        if turn % 4 == 0:
            del damaged[chance.randrange(len(damaged)) :]
        file = tmp_path / "damaged.db"
        file.write_bytes(bytes(damaged))
        try:
            found = import_database(file, tmp_path / "out" / str(turn))
        except SynctraceError as error:
            assert "\n" not in str(error)
            refused += 1
            continue
        for one in found:
            kinds(open_trace(one.path))
    assert 0 < refused < 24


def test_traces_that_exist_are_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = small(tmp_path)
    assert called(capsys, "import", file).stdout == "run_results.synctrace\n"
    done = called(capsys, "import", file)
    assert done.returncode == 2
    assert "exists: choose another folder, or overwrite it (-f" in done.stderr
    assert called(capsys, "import", file, "-f", "-q").returncode == 0


def test_what_the_command_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Run(tmp_path)
    run.hip.call("hipStreamWaitValue32", stream=S1, ptr=A)
    run.hip.call("hipEventQuery", event=E1)
    file, out = run.database.close(), tmp_path / "t"
    done = called(capsys, "import", file, "-o", out)
    assert (done.returncode, done.stdout) == (0, f"{out}\n")
    said = [line.removeprefix("synctrace: ") for line in done.stderr.splitlines()]
    assert said[0].startswith(f"{out} is not complete: 1 calls order work by what is not")
    assert said[1] == (
        f"{out}: 2 calls; a rocprofv3 database does not hold what the host reads and writes, "
        "kernels' arguments, what graphs hold and return codes"
    )
    assert said[2].startswith(f"{out}: 1 queries are taken as successful")
    assert said[3] == f"next: synctrace check {out}"
    quiet = called(capsys, "import", file, "-o", out, "-f", "-q").stderr.splitlines()
    assert [line.removeprefix("synctrace: ") for line in quiet] == said[:1]


def test_a_database_has_no_cases(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = called(capsys, "import", small(tmp_path), "--case", "x")
    assert done.returncode == 2
    assert "is a database, which has no cases: leave out --case" in done.stderr


def test_check_query_and_explain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The commands take such a trace as any other; without --profile by the promises of HIP."""
    out = tmp_path / "t"
    called(capsys, "import", small(tmp_path), "-o", out, "-q")
    found = called(capsys, "check", out, "-q")
    assert found.returncode == 1
    assert "RACE01 read-after-write: hipMemcpyAsync on HIP0 stream 2 reads" in found.stdout
    assert called(capsys, "check", out, "--profile", "hip-7", "-q").returncode == 1
    ran = "SELECT call, ended_ns - started_ns AS ns FROM op WHERE kind = 'kernel'"
    asked = called(capsys, "query", out, ran, "-F", "csv", "-q")
    assert asked.stdout.splitlines()[1:] == ["gemm,1000"]
    (name,) = re.findall(r"seen    once +id ([0-9a-f]{8})", found.stdout)
    explained = called(capsys, "explain", name, out)
    assert explained.returncode == 0
    assert "no happens-before edge from op 4 to op 6" in explained.stdout


# Odd contents


def test_text_that_is_not_utf8(tmp_path: Path) -> None:
    database = Database(tmp_path / "x.db")
    process = database.process(command="/opt/b\u00e4r x")
    process.call("hipLaunchKernel", Ran("k"), stream=S1)
    for table, column in (("info_process", "command"), ("info_kernel_symbol", "display_name")):
        database.connection.execute(
            f'UPDATE "rocpd_{table}{process._suffix}"'
            f" SET {column} = CAST(x'2f6f70742fff00fe6e616d65' AS TEXT)"
        )
    (one,) = import_database(database.close(), tmp_path / "t")
    trace = open_trace(one.path)
    assert trace.meta["program"].startswith("\ufffd")
    assert rows(trace, "call")[0]["name"].startswith("/opt/\ufffd")


def test_addresses_above_2_63_are_negative_in_sqlite(run: Run) -> None:
    high = (1 << 64) - 4096
    run.hip.call("hipMalloc", ptr=1, size=64, allocated=[(high - (1 << 64), 64, GPU)])
    run.hip.call("hipFree", ptr=high)
    trace = run.trace()
    assert kinds(trace) == [Kind.ALLOC_DEVICE, Kind.FREE]
    assert rows(trace, "storage") == []


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE {arg} SET value = x'00ff10'",
        "UPDATE {arg} SET value = 9223372036854775807",
        "UPDATE {arg} SET value = NULL",
        "UPDATE {arg} SET name = 7",
        "UPDATE {arg} SET value = replace(hex(zeroblob(5000)), '00', '9')",
        "UPDATE {event} SET stack_id = 'x', parent_stack_id = -1",
        "UPDATE {event} SET stack_id = 1, parent_stack_id = 1",
        "UPDATE {region} SET tid = 'x'",
        "UPDATE {region} SET tid = -9223372036854775808",
        "UPDATE {region} SET pid = 9223372036854775807",
        "UPDATE {region} SET event_id = NULL",
        "UPDATE {kernel_dispatch} SET kernel_id = 'x', agent_id = x'00'",
        "UPDATE {kernel_dispatch} SET start = 'x'",
        "UPDATE {memory_copy} SET src_agent_id = 1e300, dst_agent_id = 'x', name_id = -1",
        "UPDATE {memory_allocate} SET address = -1, size = 9223372036854775807",
        "UPDATE {memory_allocate} SET address = 'x', size = -1",
        "UPDATE {info_thread} SET tid = 1e300, name = x'ff'",
        "UPDATE {info_process} SET pid = 'x', command = 5, environment = '[1, 2'",
        'UPDATE {info_process} SET environment = \'{{"HIP_VISIBLE_DEVICES": "99999,-1,"}}\'',
        "UPDATE {info_agent} SET type = 'GPU', type_index = 'x', name = NULL, product_name = 3.5",
        "UPDATE {info_kernel_symbol} SET display_name = NULL, kernel_name = NULL",
        "UPDATE {metadata} SET value = 3",
        "UPDATE {string} SET string = string || char(0) || 'x'",
    ],
)
def test_values_that_nobody_expects(tmp_path: Path, change: str) -> None:
    file = small(tmp_path)
    with sqlite3.connect(file) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master")]
        tables = {
            name.removeprefix("rocpd_").partition("_0199")[0]: f'"{name}"'
            for name in names
            if "_0199" in name
        }
        connection.execute(change.format(**tables))
    connection.close()
    try:
        found = import_database(file, tmp_path / "t")
    except SynctraceError as error:
        assert "holds no call of HIP" in str(error)
        return
    for one in found:
        check(open_trace(one.path), ["hip-7"], select=["RACE"])


def test_rows_that_are_there_twice(tmp_path: Path) -> None:
    """A call, its arguments and what ran for it, written once more: one op."""
    file = small(tmp_path)
    with sqlite3.connect(file) as connection:
        tables: list[tuple[Any, ...]] = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'rocpd%0199%'"
        ).fetchall()
        for (name,) in tables:
            if name.split("_0199")[0] in ("rocpd_string", "rocpd_event", "rocpd_info_process"):
                continue
            columns = [r[1] for r in connection.execute(f'PRAGMA table_info("{name}")')]
            rest = ", ".join(c for c in columns if c != "id")
            connection.execute(f'INSERT INTO "{name}" ({rest}) SELECT {rest} FROM "{name}"')
    connection.close()
    (one,) = import_database(file, tmp_path / "t")
    trace = open_trace(one.path)
    assert len(rows(trace, "op")) == 8
    assert len(by_id(trace, "storage")) == 3
    assert len(races(check(trace, ["hip-7"], select=["RACE"]))) == 1


def test_many_lives_of_other_memory_end_in_the_unknown(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("synctrace.tracer.rocpd.memory.MOST_LIVES", 2)
    for _ in range(4):
        arguments = {"dst": A, "src": HOST, "sizeBytes": SIZE, "kind": "HostToDevice"}
        run.hip.call("hipMemcpyAsync", **arguments, stream=S1, thread=MAIN)
        run.hip.call("hipFree", ptr=A)
    trace = run.trace()
    names = [s["name"] for s in rows(trace, "storage")]
    assert names == ["host memory", "other device memory", "other device memory"]
    assert trace.meta["coverage"]["copies_without_ranges"] == 2
