"""Commands as a user's shell calls them: exit codes, streams, refusals."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from synctrace.analyzer.cli import main

CASES = Path(__file__).parents[1] / "data/cases.jsonl"
ONE = Path(__file__).parents[2] / "examples/scenarios/pending-copy-race.jsonl"
RACE, CLEAN, NEEDLESS = "ggml-cpu-input-overwrite", "disjoint-slices", "thrust-double-sync"
FINDING_KEYS = [
    *("id", "rule", "family", "verdict", "why", "severity", "profile", "level", "ops", "buffer"),
    *("lo", "hi", "count", "verdicts", "buffers", "first", "worst", "sites", "edge", "cost_ns"),
    *("size_bytes", "message", "proposal", "budget", "status", "was"),
]
COMMANDS = ["record", "run", "check", "query", "explain", "import", "doctor"]


def synctrace(
    *arguments: object, stdin: str = "", cwd: Path | None = None, **env: str
) -> subprocess.CompletedProcess[str]:
    """One call of the command, without a terminal."""
    return subprocess.run(
        [sys.executable, "-m", "synctrace", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        cwd=cwd,
        env=os.environ | env,
        check=False,
    )


def called(
    capsys: pytest.CaptureFixture[str], *arguments: object
) -> subprocess.CompletedProcess[str]:
    """The same without a process of its own: for the many small cases."""
    with pytest.raises(SystemExit) as left:
        main([str(a) for a in arguments])
    out, err = capsys.readouterr()
    code = left.value.code
    assert isinstance(code, int)
    return subprocess.CompletedProcess([], code, out, err)


def refused(done: subprocess.CompletedProcess[str], words: str) -> None:
    """Exit code 2, nothing on stdout, one sentence on stderr."""
    assert done.returncode == 2
    assert done.stdout == ""
    assert words in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture(scope="module")
def traces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a racy, a clean and a needless-sync trace."""
    out = tmp_path_factory.mktemp("cli") / "traces"
    for case in (RACE, CLEAN, NEEDLESS):
        assert synctrace("import", CASES, "--case", case, "-o", out / case).returncode == 0
    return out


@pytest.fixture
def lossy(traces: Path, tmp_path: Path) -> Path:
    """The clean trace, closed with records dropped."""
    path = tmp_path / "lossy"
    path.mkdir()
    for file in (traces / CLEAN).iterdir():
        (path / file.name).write_bytes(file.read_bytes())
    meta = json.loads((path / "meta.json").read_text())
    told = {"complete": False, "lost": ["3 records dropped"], "dropped": 3}
    (path / "meta.json").write_text(json.dumps(meta | told))
    return path


@pytest.mark.parametrize(
    ("case", "options", "code"),
    [
        (CLEAN, [], 0),
        (CLEAN, ["--fail-on", "note"], 0),
        (NEEDLESS, [], 0),
        (NEEDLESS, ["--fail-on", "warning"], 1),
        (NEEDLESS, ["--fail-on", "warning", "--ignore", "SYNC"], 0),
        (RACE, [], 1),
        (RACE, ["--fail-on", "never"], 0),
        (RACE, ["--ignore", "RACE04"], 0),
        (RACE, ["--select", "RACE02"], 0),
        (RACE, ["--select", "SYNC01,LIFE"], 0),
        (RACE, ["--select", "race"], 1),
        (RACE, ["--profile", "catalogue", "--host-order", "strict"], 1),
        (RACE, ["--profile", "catalogue,", "--select", " RACE ,LIFE"], 1),
    ],
)
def test_exit_codes_of_check(
    traces: Path,
    case: str,
    options: list[str],
    code: int,
    capsys: pytest.CaptureFixture[str],
) -> None:
    done = called(capsys, "check", traces / case, *options)
    assert done.returncode == code, done.stderr
    assert done.stdout.splitlines()[-1].startswith("synctrace: ")
    assert done.stderr == ""


def test_lost_data_without_findings_is_3(lossy: Path) -> None:
    done = synctrace("check", lossy)
    assert done.returncode == 3
    assert "TRACE01" in done.stdout
    assert "\nclean" not in done.stdout


def test_lost_data_with_findings_is_1(lossy: Path, traces: Path) -> None:
    assert synctrace("check", lossy, traces / RACE, "-F", "concise").returncode == 1


def test_several_traces_and_a_folder_of_traces(traces: Path) -> None:
    done = synctrace("check", traces, "-F", "concise")
    assert done.returncode == 1
    assert len([one for one in done.stdout.splitlines() if one.startswith("synctrace: ")]) == 3
    done = synctrace("check", traces / CLEAN, traces / NEEDLESS, "-F", "json")
    assert done.returncode == 0
    told = json.loads(done.stdout)
    assert [Path(t["trace"]).name for t in told["traces"]] == [CLEAN, NEEDLESS]
    counted = {"error": 0, "warning": 1, "note": 0, "exit": 0}
    assert {key: told["summary"][key] for key in counted} == counted


def test_json_of_one_trace_has_the_promised_keys(traces: Path) -> None:
    told = json.loads(synctrace("check", traces / RACE, "-F", "json").stdout)
    assert list(told) == ["schema", "trace", "complete", "coverage", "findings", "summary"]
    [finding] = told["findings"]
    assert list(finding) == FINDING_KEYS
    assert finding["ops"] == [4, 7]
    assert [finding[key] for key in ("rule", "buffer", "lo", "hi")] == ["RACE04", "h_in", 0, 4096]


def test_report_to_a_file_is_not_overwritten(traces: Path, tmp_path: Path) -> None:
    out = tmp_path / "report.json"
    done = synctrace("check", traces / RACE, "-F", "json", "-o", out)
    assert (done.returncode, done.stdout) == (1, "")
    assert json.loads(out.read_text())["schema"] == 1
    refused(synctrace("check", traces / CLEAN, "-o", out), "overwrite it with -f")
    assert synctrace("check", traces / CLEAN, "-o", out, "-f").returncode == 0
    assert out.read_text().startswith("clean")


def test_the_next_command_works_as_printed(traces: Path) -> None:
    report = synctrace("check", traces / RACE).stdout
    sql = report.split('"SELECT', 1)[1].split('"', 1)[0]
    done = synctrace("query", traces / RACE, f"SELECT{sql}", "-F", "csv")
    assert done.returncode == 0
    assert [row.split(",")[0] for row in done.stdout.splitlines()] == ["id", "4", "5", "6", "7"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "nowhere"], "nowhere does not exist"),
        (["check", "."], "is no trace and holds none"),
        (["check", CASES], "is a file: give the trace folder"),
        (["check"], "Missing argument"),
        (["check", "{race}", "--profile", "no-such"], "unknown profile 'no-such'"),
        (["check", "{race}", "--profile", ""], "--profile names nothing: give A or A,B, or leave"),
        (["check", "{race}", "--profile", ","], "--profile names nothing"),
        (["check", "{race}", "--select", ""], "--select names nothing"),
        (["check", "{race}", "--ignore", " ,"], "--ignore names nothing"),
        (["query", "{race}", "FROM op", "--profile", ""], "--profile names nothing"),
        (["run", "--select", ",", "--", "true"], "--select names nothing"),
        (["check", "{race}", "--select", "RACE99"], "no rule is called RACE99"),
        (["check", "{race}", "--fail-on", "sometimes"], "'sometimes' is not one of"),
        (["check", "{race}", "-F", "xml"], "'xml' is not one of"),
        (["check", "{race}", "-o", "no/such/folder/report"], "cannot write"),
        (["query", "nowhere", "SELECT 1"], "nowhere does not exist"),
        (["query", "{race}", "SELECT nonsense FROM op"], "the query does not run"),
        (["query", "{race}", "SELEC 1"], "the query does not parse"),
        (["query", "{race}", "--saved", "nothing"], "there is no saved query nothing"),
        (
            ["query", "{race}", "--file", "nowhere.sql"],
            "synctrace: cannot read nowhere.sql (No such file or directory): give a file with SQL",
        ),
        (["query", "{race}", "--file", sys.executable], "(it is not UTF-8): give a file with SQL"),
        (
            ["query", "{race}", "FROM conflct"],
            "there is no view conflct: did you mean conflict? `synctrace explain` lists them\n",
        ),
        (["query", "{race}", "FROM a.b"], "there is no view a.b: `synctrace explain` lists them"),
        (["query", "{race}", "SELECT 1", "--saved", "syncs"], "give one of SQL"),
        (
            ["explain", "RACE99"],
            "there is no rule, view, macro, table, saved query or profile RACE99",
        ),
        (["explain", "00000000", "{race}"], "has no finding 00000000: its findings are"),
        (["explain", "nowhere.toml"], "cannot read profile nowhere.toml"),
        (["explain", "cuda-doc", "hip-6"], "unknown profile 'hip-6': did you mean hip-6.3?"),
        (["import", "nowhere.jsonl", "-o", "out"], "cannot read nowhere.jsonl"),
        (["import", CASES, "--case", "no-such", "-o", "out"], "has no case no-such"),
        (["import", CASES, "--case", RACE, "-o", "{race}"], "-f"),
        (["import", ONE, "--case", "x", "-o", "out"], "no case x: its only case is pending-copy-r"),
        (["record"], "no command to record: synctrace record -- PROGRAM"),
        (["run", "--"], "no command to record: synctrace run -- PROGRAM"),
        (["chekc"], "No such command 'chekc'"),
        (["check", "--no-such-option"], "No such option"),
        (["doctor", "me"], "Got unexpected extra argument"),
        (["doctor", "-F", "xml"], "'xml' is not one of"),
    ],
    ids=lambda value: " ".join(map(str, value))[:40] if isinstance(value, list) else "",
)
def test_bad_input_is_one_sentence_and_2(
    traces: Path,
    tmp_path: Path,
    arguments: list[object],
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    given = [str(a).replace("{race}", str(traces / RACE)) for a in arguments]
    refused(called(capsys, *given), words)
    assert list(tmp_path.iterdir()) == []


def test_an_internal_error_is_2_and_shows_more_with_debug(traces: Path, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import synctrace.analyzer.check as c\n"
        "def fail(*a, **k):\n    raise RuntimeError('broken inside')\n"
        "c.check = fail\n"
    )
    done = synctrace("check", traces / RACE, PYTHONPATH=str(tmp_path))
    refused(done, "internal error, RuntimeError: broken inside")
    assert done.stderr.count("\n") == 1
    done = synctrace("--debug", "check", traces / RACE, PYTHONPATH=str(tmp_path))
    assert "Traceback" in done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    done = called(capsys, command, "--help")
    assert done.returncode == 0
    assert done.stdout.startswith(f"Usage: synctrace {command}")
    assert max(map(len, done.stdout.splitlines())) <= 100


def test_help_and_version() -> None:
    done = synctrace("--help")
    assert done.returncode == 0
    assert all(f"  {command} " in done.stdout for command in COMMANDS)
    assert "..." not in done.stdout.split("Commands:")[1], "every command's line is whole"
    assert "  --version      Show the version" in done.stdout
    done = synctrace("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("synctrace 0.")


def test_help_loads_nothing_heavy() -> None:
    probe = (
        "import sys\nfrom synctrace.analyzer.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print({'duckdb', 'pyarrow', 'numpy'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "set()"


def test_no_colour_without_a_terminal(traces: Path) -> None:
    assert "\033" not in synctrace("check", traces / RACE).stdout


def test_explain() -> None:
    done = synctrace("explain")
    assert done.returncode == 0
    for name in ("RACE01", "conflict", "catalogue", "ggml-contract", "signature"):
        assert f"  {name} " in done.stdout


@pytest.mark.parametrize("name", ["race04", "op", "access_set", "catalogue", "syncs", "edge", "hb"])
def test_explain_a_name(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert called(capsys, "explain", name).stdout.strip()


def test_explain_two_profiles(capsys: pytest.CaptureFixture[str]) -> None:
    told = called(capsys, "explain", "hip-6.3", "hip-7").stdout
    assert told.startswith("Where hip-6.3 and hip-7 differ; what both say is left out.\n")


def test_explain_a_finding_by_its_id(traces: Path) -> None:
    [finding] = json.loads(synctrace("check", traces / RACE, "-F", "json").stdout)["findings"]
    done = synctrace("explain", finding["id"], traces / RACE)
    assert done.returncode == 0
    assert done.stdout.startswith("RACE04 ")
    assert "\nFix\n" in done.stdout


def test_a_pasted_finding_is_explained_by_the_profile_that_found_it(
    traces: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = called(capsys, "check", traces / RACE, "-F", "markdown", "--profile", "cuda-doc")
    [command] = re.findall(r"next    synctrace (explain .*)", shown.stdout)
    told = called(capsys, *shlex.split(command))
    assert command.endswith(" --profile cuda-doc")
    assert told.stdout.startswith("RACE04 ")
    own = called(capsys, "check", traces / RACE, "-F", "markdown", "--profile", "catalogue")
    assert "--profile" not in own.stdout


def test_a_profile_goes_with_a_finding(capsys: pytest.CaptureFixture[str]) -> None:
    for option in (["--profile", "cuda-doc"], ["--host-order", "strict"]):
        refused(called(capsys, "explain", "RACE04", *option), f"{option[0]} goes with a finding")


def test_import_prints_the_traces_and_the_next_command(tmp_path: Path) -> None:
    done = synctrace("import", CASES, "--case", RACE, "-o", tmp_path / "t")
    assert done.stdout == f"{tmp_path / 't'}\n"
    assert f"next: synctrace check {tmp_path / 't'}" in done.stderr
    assert synctrace("import", CASES, "--case", RACE, "-o", tmp_path / "t", "-f").returncode == 0


def test_query_of_what_is_before_what(traces: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["query", traces / RACE, "-F", "csv", "--host-order", "strict", "--profile"]
    done = called(capsys, *asked, "catalogue", "SELECT hb(4, 6), hb(4, 7), hb(4, 'x')")
    refused(done, "the query does not run: Conversion Error")
    done = called(capsys, *asked, "catalogue", "SELECT hb(4, 6) AS one, hb(4, 7) AS two")
    assert done.stdout == "one,two\ntrue,false\n"
    refused(called(capsys, *asked, "cuda", "FROM edge"), "unknown profile 'cuda'")
    refused(called(capsys, *asked, "ggml-cuda", "FROM edge"), "ggml-cuda")
    refused(called(capsys, *asked, "catalogue", "SELECT hb(4)"), "the query does not run: ")


def test_query_from_a_file_and_from_stdin(traces: Path, tmp_path: Path) -> None:
    (tmp_path / "q.sql").write_text("SELECT count(*) AS ops FROM op; SELECT 7 AS seven;")
    done = synctrace("query", traces / RACE, "--file", tmp_path / "q.sql", "-F", "csv")
    assert done.stdout == "ops\n11\nseven\n7\n"
    done = synctrace("query", traces / RACE, "-F", "csv", stdin="SELECT 1 AS one; SELECT 2 AS two")
    assert done.stdout == "one\n1\ntwo\n2\n"
    assert done.stderr == ""


def test_record_passes_the_programs_options_and_exit_code_on(tmp_path: Path) -> None:
    """A program that makes no hooked call: its output is its own, and there is no trace."""
    program = "import sys; print(sys.argv[1:]); sys.exit(0)"
    done = synctrace(
        "record", "--", sys.executable, "-c", program, "-o", "--help", "-f", "x", cwd=tmp_path
    )
    assert done.stdout == "['-o', '--help', '-f', 'x']\n"
    assert done.returncode == 125
    assert "no call of ggml, CUDA or HIP was seen" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("ending", "told"),
    [
        ("exit 0", "(docs/hip.md, Nothing was recorded)"),
        ("exit 7", "; the program itself ended with exit code 7"),
        ("kill -9 $$", "; the program itself was killed by signal 9"),
    ],
)
def test_a_program_that_was_not_recorded_has_an_end_of_its_own(
    ending: str, told: str, tmp_path: Path
) -> None:
    done = synctrace("record", "--", "sh", "-c", ending, cwd=tmp_path)
    assert done.returncode == 125
    assert done.stderr.endswith(f"{told}\n")


def test_ctrl_c_ends_a_query(traces: Path) -> None:
    asked = "SELECT 7; SELECT count(*) FROM range(1000000000) a, range(100000) b WHERE a = b + 1.5"
    command = [sys.executable, "-m", "synctrace", "query", str(traces / RACE), asked]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        run.stdout.readline()
        time.sleep(0.5)
        run.send_signal(signal.SIGINT)
        _, err = run.communicate(timeout=60)
    assert (run.returncode, err.strip()) == (130, "synctrace: interrupted")


def test_bad_input_in_a_process_of_its_own(tmp_path: Path) -> None:
    done = synctrace("check", "nowhere", cwd=tmp_path)
    refused(done, "synctrace: nowhere does not exist")
    assert done.stderr.count("\n") == 1


def test_a_closed_pipe_is_no_error(traces: Path) -> None:
    command = f"'{sys.executable}' -m synctrace query '{traces / RACE}' 'FROM op' | head -c 1"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_current_folder_that_is_gone(
    traces: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    settings, trace = tmp_path / "c.toml", (traces / RACE).absolute()
    settings.write_text('[check]\nbaseline = "none.json"\n')
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    refused(called(capsys, "check", trace), "the current folder is gone")
    refused(called(capsys, "query", trace, "FROM op"), "the current folder is gone")
    base = tmp_path / "none.json"
    refused(called(capsys, "--config", settings, "check", trace), f"cannot read baseline {base}")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("closed", [">&-", "<&-"])
def test_a_closed_stream_is_no_error(closed: str, traces: Path) -> None:
    """Nobody reads the answer; there is no SQL to read."""
    sql = "" if "<" in closed else "'FROM op'"
    command = f"'{sys.executable}' -m synctrace query '{traces / RACE}' {sql} {closed}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert "internal error" not in done.stderr


@pytest.mark.parametrize("percent", ["nan", "-1", "101"])
def test_a_coverage_that_is_no_percentage(
    percent: str, traces: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = called(capsys, "check", traces / RACE, f"--min-coverage={percent}")
    refused(done, "is not in the range 0<=x<=100")


def test_json_keeps_every_column_and_only_the_numbers_that_it_has(traces: Path) -> None:
    sql = "SELECT 1 AS a, 2 AS a, 'NaN'::DOUBLE AS b, '-Infinity'::DOUBLE AS c, 0.5 AS d"
    done = synctrace("query", traces / RACE, sql, "-F", "json")
    assert json.loads(done.stdout) == [{"a": 1, "a_1": 2, "b": None, "c": None, "d": 0.5}]


def test_generated_pages_go_into_a_folder_that_is_there(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "synctrace.analyzer.explain"]
    for arguments in ([], ["--help"], ["docs", "more"]):
        done = subprocess.run(
            [*command, *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("usage: ")
        assert list(tmp_path.iterdir()) == []
