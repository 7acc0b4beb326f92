"""Faults around a recording: the program's own fate is its own, and loss is never hidden."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from synctrace.tracer.reader import open_trace

HERE = Path(__file__).parent
STAND_IN = HERE.parent / "ggml"
CASES = HERE.parent / "data/cases.jsonl"
SYNCTRACE = [sys.executable, "-c", "from synctrace.analyzer.cli import main; main()"]

# Gives a record in the middle of what is not read yet a senseless size, as a stray store might.
SCRIBBLE = """
import glob, os, signal, subprocess, sys, time
recorder = os.getppid()
program = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
seen = []
while program.poll() is None and not seen:
    seen = glob.glob(os.environ["SYNCTRACE_RECORD_FOLDER"] + "/*/ring-*")
    time.sleep(0.001)
os.kill(recorder, signal.SIGSTOP)
program.wait()
for path in seen:
    with open(path, "r+b") as ring:
        ring.seek(64)
        head = int.from_bytes(ring.read(8), "little")
        ring.seek(128)
        at = tail = int.from_bytes(ring.read(8), "little")
        while at < (head + tail) // 2:
            ring.seek(4096 + at)
            at += int.from_bytes(ring.read(4), "little")
        ring.seek(4096 + at)
        ring.write(bytes([3, 0, 0, 0]))
os.kill(recorder, signal.SIGCONT)
"""


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The scenario program on the stand-in ggml."""
    folder = tmp_path_factory.mktemp("faults")
    base = str(folder / "libggml-base.so")
    native = f"-I{HERE.parents[1] / 'tracer/native'}"
    cc = ["cc", "-O1", "-DLAYOUT_2D", native]
    fake, calling = (
        [str(path) for path in sorted(STAND_IN.glob(pattern))]
        for pattern in ("fake_*.c", "scenario*.c")
    )
    subprocess.run([*cc, "-fPIC", "-shared", *fake, "-ldl", "-o", base], check=True)
    made = str(folder / "scenario")
    link = [base, "-Wl,-rpath,$ORIGIN", "-lpthread", "-o", made]
    subprocess.run([*cc, *calling, *link], check=True)
    return made


def synctrace(*arguments: str, **options: object) -> "subprocess.CompletedProcess[str]":
    run: subprocess.CompletedProcess[str] = subprocess.run(  # type: ignore[call-overload]
        [*SYNCTRACE, *arguments],
        **{"stderr": subprocess.PIPE, "stdout": subprocess.PIPE, **options},
        text=True,
        timeout=30,
    )
    return run


def test_a_file_size_limit_does_not_kill_the_program(program: str, tmp_path: Path) -> None:
    script = f"ulimit -f 64; {program} tokens 3; echo own=$?"
    done = synctrace("record", "-o", str(tmp_path / "t"), "--", "sh", "-c", script)
    assert "own=0" in done.stdout


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_stderr_leaves_the_exit_code(program: str, tmp_path: Path) -> None:
    script = f"{program} tokens 3; exit 6"
    with Path("/dev/full").open("w") as full:
        done = synctrace("record", "-o", str(tmp_path / "t"), "--", "sh", "-c", script, stderr=full)
    assert open_trace(tmp_path / "t").complete
    assert done.returncode == 6


def test_a_senseless_record_is_a_loss(program: str, tmp_path: Path) -> None:
    out = tmp_path / "t"
    wrapped = [sys.executable, "-c", SCRIBBLE, program, "tokens", "200"]
    synctrace("record", "-o", str(out), "--", *wrapped)
    assert out.exists()
    assert not open_trace(out).complete


@pytest.mark.parametrize("key", ["coverage", "dropped"])
def test_a_senseless_number_is_no_internal_error(key: str, tmp_path: Path) -> None:
    folder = _imported(tmp_path)
    _edit(folder, **{key: {"unread_tensors": "x"} if key == "coverage" else "many"})
    done = synctrace("check", str(folder))
    assert done.returncode == 2
    assert "internal error" not in done.stderr


@pytest.mark.parametrize("size", [0, 3, 7, 40, 400])
def test_a_torn_op_table_is_a_loss(size: int, tmp_path: Path) -> None:
    folder = _imported(tmp_path)
    os.truncate(folder / "op.arrow", size)
    done = synctrace("check", "--select", "RACE", str(folder))
    assert done.returncode == 3, done.stderr


def test_a_missing_op_table_is_a_loss(tmp_path: Path) -> None:
    folder = _imported(tmp_path)
    (folder / "op.arrow").unlink()
    assert synctrace("check", str(folder)).returncode == 3


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_text('{}/secret')",
        "SELECT * FROM '{}/secret.csv'",
        "COPY (SELECT 1) TO '{}/made.csv'",
        "ATTACH '{}/made.db'",
        "EXPORT DATABASE '{}/made'",
        "SET enable_external_access = true",
        "LOAD httpfs",
    ],
)
def test_sql_stays_inside(sql: str, tmp_path: Path) -> None:
    folder = _imported(tmp_path)
    (tmp_path / "secret").write_text("hidden")
    (tmp_path / "secret.csv").write_text("a\nhidden\n")
    done = synctrace("query", str(folder), sql.format(tmp_path))
    assert done.returncode == 2
    assert "hidden" not in done.stdout
    assert not list(tmp_path.glob("made*"))


def test_foreign_files_survive_force(program: str, tmp_path: Path) -> None:
    (tmp_path / "t").mkdir()
    kept = tmp_path / "t/letter.txt"
    kept.write_text("mine")
    done = synctrace("record", "-f", "-o", str(tmp_path / "t"), "--", program, "tokens", "3")
    assert done.returncode == 125
    assert kept.read_text() == "mine"


def _imported(folder: Path) -> Path:
    """A trace of the first case."""
    case = json.loads(CASES.read_text().splitlines()[0])["id"]
    made = synctrace("import", str(CASES), "--case", case, "-o", str(folder / "case"))
    assert made.returncode == 0, made.stderr
    return folder / "case"


def _edit(folder: Path, **changes: object) -> None:
    meta = json.loads((folder / "meta.json").read_text())
    (folder / "meta.json").write_text(json.dumps({**meta, **changes}))


@pytest.mark.parametrize("there", ["file", "foreign"])
def test_what_force_may_not_replace_is_refused_before_the_run(tmp_path: Path, there: str) -> None:
    target, ran = tmp_path / "t", tmp_path / "ran"
    if there == "file":
        target.write_text("mine")
    else:
        target.mkdir()
        (target / "mine").write_text("mine")
    done = synctrace("record", "-f", "-o", str(target), "--", "touch", str(ran))
    assert done.returncode == 125
    assert "choose another folder with -o" in done.stderr
    assert not ran.exists()


@pytest.mark.parametrize(
    ("command", "code", "says"),
    [
        ("./script", 126, "the interpreter that its first line names was not found"),
        ("./missing", 127, "./missing was not found"),
        ("", 125, "no program given"),
    ],
)
def test_a_program_that_cannot_start(tmp_path: Path, command: str, code: int, says: str) -> None:
    script = tmp_path / "script"
    script.write_text("#!/nowhere/interpreter\n")
    script.chmod(0o755)
    done = synctrace("record", "--", command, cwd=tmp_path)
    assert (done.returncode, says in done.stderr) == (code, True), done.stderr


def test_a_working_directory_that_is_gone(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    script = f"cd {folder}; rmdir {folder}; exec {sys.executable} -m synctrace record -- true"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (125, 1), done.stderr
    assert "the working directory is gone" in done.stderr


@pytest.mark.parametrize("limit", [9, 12, 16, 24])
def test_too_few_file_descriptors(program: str, tmp_path: Path, limit: int) -> None:
    """Whatever the recorder cannot open, the program runs or one sentence says why not."""
    python = f"{sys.executable} -m synctrace record -o {tmp_path / 't'} -- {program} tokens 3"
    done = subprocess.run(
        ["sh", "-c", f"ulimit -n {limit}; exec {python}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 125, 126), done.stderr
    assert "Traceback" not in done.stderr
    if done.returncode == 0:
        assert open_trace(tmp_path / "t").complete


def test_a_report_that_does_not_fit_leaves_the_old_one(tmp_path: Path) -> None:
    trace = tmp_path / "t"
    case = json.loads(CASES.read_text().splitlines()[0])["id"]
    synctrace("import", str(CASES), "--case", case, "-o", str(trace))
    report = tmp_path / "report.txt"
    report.write_text("old")
    script = f"ulimit -f 0; exec {sys.executable} -m synctrace check {trace} -f -o {report}"
    done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "cannot write" in done.stderr
    assert (report.read_text(), sorted(p.name for p in tmp_path.iterdir())) == (
        "old",
        ["report.txt", "t"],
    )


def test_pipeline_copies_alone_skip_no_syncs(program: str, tmp_path: Path) -> None:
    command = ["--force-copies", "2", "-o", str(tmp_path / "t"), "--", program, "tokens", "3"]
    told = synctrace("record", *command).stderr
    assert "FAULT INJECTION: the scheduler is made with 2 pipeline copies" in told
    assert "skipped" not in told
    done = synctrace("record", "-f", "--skip-sync", "00000000", *command)
    assert "its results may be wrong: 0 skipped" in done.stderr


@pytest.mark.parametrize("form", ["concise", "json", "text"])
def test_a_quiet_run_leaves_the_report_alone(form: str, program: str, tmp_path: Path) -> None:
    script = f"{program} tokens 3 >/dev/null 2>&1; exit 6"
    out = str(tmp_path / "t")
    done = synctrace("run", "-q", "-F", form, "-o", out, "--", "sh", "-c", script)
    assert (done.returncode, done.stderr) == (6, "")
    start = {"json": '{\n "schema": 1', "text": "", "concise": ""}[form]
    assert done.stdout.startswith(start)
    assert "synctrace: " in done.stdout or form == "json"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system that is full long before the program ends."""
    place = tmp_path / "small"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=2m", "none", str(place)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("a file system cannot be mounted here (needs root)")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_full_disk_stops_the_recording_and_not_the_program(
    program: str, small_disk: Path
) -> None:
    script = f"{program} timed 3000; echo own=$?"
    done = synctrace("record", "-o", str(small_disk / "t"), "--", "sh", "-c", script)
    assert "own=7" in done.stdout
    assert done.returncode == 125
    assert "No space left on device" in done.stderr
    trace = open_trace(small_disk / "t")
    assert not trace.complete
    assert trace.table("op").num_rows > 0


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--skip-sync", ""], "--skip-sync (empty): a site is 8 hex digits"),
        (["--skip-sync", "0851dba6,"], "--skip-sync (empty)"),
        (["--skip-sync", "0851DBA6"], "a site is 8 hex digits"),
        (["--force-copies", "0"], "a number from 1 to 64"),
        (["--force-copies", "4294967298"], "a number from 1 to 64"),
        (["--force-copies", "4", "--via", "plugin"], "does nothing by --via plugin"),
        (["--device-times", "--via", "plugin"], "--via plugin and --level ggml leave out"),
        (["--device-times", "--level", "ggml"], "--via plugin and --level ggml leave out"),
    ],
)
def test_senseless_fault_requests_start_nothing(
    options: list[str], says: str, tmp_path: Path
) -> None:
    ran = tmp_path / "ran"
    done = synctrace("record", *options, "--", "touch", str(ran))
    assert done.returncode in (2, 125)
    assert says in done.stderr
    assert not ran.exists()


def test_an_unmet_fault_does_not_hide_how_the_program_ended(program: str, tmp_path: Path) -> None:
    script = f"{program} tokens 3; exit 4"
    asked = ("--skip-sync", "deadbeef", "-o", str(tmp_path / "t"))
    done = synctrace("record", *asked, "--", "sh", "-c", script)
    assert done.returncode == 125
    assert "no sync was made at deadbeef" in done.stderr
    assert "the program itself ended with exit code 4" in done.stderr


def test_faults_that_the_program_asks_for_itself_are_told(program: str, tmp_path: Path) -> None:
    synctrace("record", "-o", str(tmp_path / "whole"), "--", program, "tokens", "3")
    asked = ("query", str(tmp_path / "whole"), "--saved", "syncs", "-F", "json")
    key = json.loads(synctrace(*asked).stdout)[0]["key"]
    script = f"SYNCTRACE_SKIP_SYNC={key} exec {program} tokens 3"
    synctrace("record", "-o", str(tmp_path / "t"), "--", "sh", "-c", script)
    assert open_trace(tmp_path / "t").meta["skipped"] == ["not named to record"]
    assert "FAULTS INJECTED" in synctrace("check", str(tmp_path / "t")).stdout
    asked = ("query", str(tmp_path / "t"), "--saved", "syncs", "-F", "json")
    assert "left out" in {row["verdict"] for row in json.loads(synctrace(*asked).stdout)}


@pytest.mark.parametrize(
    "damage", [{"skipped": [1]}, {"skipped": "x"}, {"forced_copies": "x"}, {"forced_copies": -1}]
)
def test_damaged_facts_of_faults_are_damage(damage: dict[str, object], tmp_path: Path) -> None:
    case = json.loads(CASES.read_text().splitlines()[0])["id"]
    synctrace("import", str(CASES), "--case", case, "-o", str(tmp_path / "t"))
    meta = tmp_path / "t/meta.json"
    meta.write_text(json.dumps(json.loads(meta.read_text()) | damage))
    done = synctrace("check", str(tmp_path / "t"))
    assert (done.returncode, "is damaged" in done.stderr) == (2, True), done.stderr
