"""Settings in a file: where they are looked for, who wins, and what is refused."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import click
import pytest

from synctrace.analyzer.budget import MEASURES
from synctrace.analyzer.cli import CONFIGURED
from synctrace.analyzer.defaults import load
from synctrace.analyzer.settings import find, read
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.scenario import import_cases

from .test_cli import CASES, CLEAN, NEEDLESS, RACE, called, refused

Called = Callable[..., CompletedProcess[str]]
PAGE = (Path(__file__).parents[2] / "docs/commands.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def traces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("settings")
    for case in (RACE, CLEAN, NEEDLESS):
        import_cases(CASES, out / case, case)
    return out


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root of a repository, as the current folder."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def check(traces: Path, here: Path, capsys: pytest.CaptureFixture[str]) -> Called:
    """`check` of a case, with these settings."""

    def run(case: str, settings: str, *options: object, group: tuple[str, ...] = ()) -> object:
        (here / "synctrace.toml").write_text(settings)
        return called(capsys, *group, "check", traces / case, *options)

    return run  # type: ignore[return-value]


# Who wins


@pytest.mark.parametrize(
    ("settings", "fail_on"),
    [
        ("fail-on = 'warning'", "warning"),
        ("fail_on = 'warning'", "warning"),
        ("[check]\nfail-on = 'warning'", "warning"),
        ("fail-on = 'warning'\n[check]\nfail-on = 'error'", "error"),
        ("[query]\nformat = 'csv'\n[record]\nquiet = true", None),
        ("[run]\nfail-on = 'warning'", None),
        ("", None),
    ],
)
def test_the_commands_table_wins(settings: str, fail_on: str | None, here: Path) -> None:
    (here / "synctrace.toml").write_text(settings)
    assert load(None, False, CONFIGURED)[1]["check"].get("fail_on") == fail_on


def test_lists_are_text_or_lists(here: Path) -> None:
    for value in ("'SYNC,COPY'", "['SYNC', 'COPY']"):
        (here / "synctrace.toml").write_text(f"ignore = {value}\n[record]\nskip-sync = {value}\n")
        values = load(None, False, CONFIGURED)[1]
        assert values["check"]["ignore"] == "SYNC,COPY"
        assert ",".join(values["record"]["skip_sync"]) == "SYNC,COPY"


@pytest.mark.parametrize(
    ("settings", "options", "code"),
    [
        ("fail-on = 'warning'", [], 1),
        ("fail-on = 'warning'", ["--fail-on", "error"], 0),
        ("fail-on = 'warning'\nmax-findings = 1", ["--fail-on", "never"], 0),
    ],
)
def test_the_command_line_wins(settings: str, options: list[str], code: int, check: Called) -> None:
    done = check(NEEDLESS, settings, *options, "-F", "json")
    assert (done.returncode, done.stderr) == (code, "")
    assert json.loads(done.stdout)["summary"]["config"] == "synctrace.toml"


def test_no_config(check: Called, here: Path) -> None:
    done = check(NEEDLESS, "fail-on = 'warning'", group=("--no-config",))
    assert done.returncode == 0
    assert "settings of" not in done.stdout
    (here / "other.toml").write_text("fail-on = 'warning'")
    assert check(NEEDLESS, "", group=("--config", "other.toml")).returncode == 1
    both = check(NEEDLESS, "", group=("--config", "other.toml", "--no-config"))
    refused(both, "give one of --config and --no-config")
    refused(check(NEEDLESS, "", group=("--config", "nowhere.toml")), "cannot read settings nowhere")


def test_pyproject_has_a_table_of_its_own(check: Called, here: Path) -> None:
    check(CLEAN, "")
    (here / "synctrace.toml").unlink()
    (here / "pyproject.toml").write_text("[tool.synctrace.check]\nfail-on = 'warning'\n")
    settings, values = load(None, False, CONFIGURED)
    assert settings.path == "pyproject.toml"
    assert values["check"] == values["run"] == {"fail_on": "warning"}


def test_paths_are_meant_from_the_file(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "a/b").mkdir(parents=True)
    (here / "synctrace.toml").write_text(
        "profile = ['cuda-13', 'own.toml']\n[check]\nbaseline = 'ci/base.json'\n"
        "source-root = '/src'\n[record]\noutput = 'out/%p'\n[query]\nfile = 'q.sql'\n"
    )
    monkeypatch.chdir(here / "a/b")
    settings, values = load(None, False, CONFIGURED)
    assert settings.path == "../../synctrace.toml"
    assert values["check"] == {
        "profile": "cuda-13,../../own.toml",
        "baseline": "../../ci/base.json",
        "source_root": "/src",
    }
    assert values["record"] == {"output": "../../out/%p"}
    assert values["query"]["file"] == "../../q.sql"


def test_run_takes_what_stands_for_its_parts(here: Path) -> None:
    (here / "synctrace.toml").write_text(
        "[check]\noutput = 'r.json'\nforce = true\nfail-on = 'note'\n"
        "[record]\nquiet = true\noutput = 'x'\n[run]\nfail-on = 'never'\n"
    )
    values = load(None, False, CONFIGURED)[1]
    assert values["run"] == {"fail_on": "never", "quiet": True, "output": "x"}
    assert values["check"] == {"output": "r.json", "force": True, "fail_on": "note"}


def test_every_option_can_be_set(here: Path) -> None:
    """Each by its long name; of a type that fits."""
    for name, command in CONFIGURED.items():
        for option in command.params:
            if not isinstance(option, click.Option):
                continue
            value: object = "x"
            if isinstance(option.type, click.Choice):
                value = next(iter(option.type.choices))
            elif option.is_flag:
                value = True
            elif isinstance(option.type, click.types.IntParamType | click.types.FloatParamType):
                value = 7
            key = max(option.opts, key=len).lstrip("-")
            (here / "synctrace.toml").write_text(f"[{name}]\n{key} = {json.dumps(value)}\n")
            values = load(None, False, CONFIGURED)[1]
            assert values[name] == {option.name: ["x"] if option.multiple else value}


def test_a_setting_is_not_taken_by_another_command(
    here: Path, traces: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "synctrace.toml").write_text("[check]\nprofile = 'no-such'\n[query]\nformat = 'csv'\n")
    done = called(capsys, "query", traces / CLEAN, "SELECT 7 AS seven")
    assert (done.stdout, done.stderr) == ("seven\n7\n", "synctrace: settings of synctrace.toml\n")
    done = called(capsys, "explain", "RACE01")
    assert (done.returncode, done.stderr) == (0, "")


# Where it is looked for


def test_the_nearest_file_up_to_the_repository(tmp_path: Path) -> None:
    inner = tmp_path / "repository/a/b"
    inner.mkdir(parents=True)
    (tmp_path / "repository/.git").write_text("gitdir: elsewhere")
    (tmp_path / "synctrace.toml").write_text("")
    assert find(inner) is None
    (tmp_path / "repository/pyproject.toml").write_text("[tool.other]\n")
    assert find(inner) is None
    (tmp_path / "repository/pyproject.toml").write_text("not ours, [and broken")
    assert find(inner) is None
    (tmp_path / "repository/synctrace.toml").write_text("")
    assert find(inner) == tmp_path / "repository/synctrace.toml"
    (tmp_path / "repository/a/pyproject.toml").write_text("[tool.synctrace]\n")
    assert find(inner) == tmp_path / "repository/a/pyproject.toml"
    (tmp_path / "repository/a/b/pyproject.toml").write_text("[project]\nname = 'x'\n")
    assert find(inner) == tmp_path / "repository/a/pyproject.toml"


def test_two_files_in_one_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "synctrace.toml").write_text("")
    (tmp_path / "pyproject.toml").write_text("[tool.synctrace")
    with pytest.raises(SynctraceError, match=r"pyproject.toml is not TOML"):
        find(tmp_path)
    (tmp_path / "pyproject.toml").write_text("[tool.synctrace]\n")
    with pytest.raises(SynctraceError, match=r"stands beside pyproject.toml .*: keep one of them"):
        find(tmp_path)


# What is refused


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ("fail-on = ", "settings synctrace.toml is not TOML"),
        ("fial-on = 'error'", "the head has the unknown key 'fial-on': did you mean fail-on?"),
        ("[chekc]\n", "the head has the unknown key 'chekc': did you mean check?"),
        ("[check]\nfailon = 'note'", "[check] has the unknown key 'failon': did you mean fail-on?"),
        ("[check]\nvia = 'auto'", "[check] has the unknown key 'via': expected one of baseline,"),
        ("fail-on = 'always'", "has fail-on = 'always': 'always' is not one of 'error'"),
        ("fail-on = 1", "the head has fail-on = 1: expected text"),
        ("[check]\nmax-findings = '3'", "[check] has max-findings = '3': expected a whole number"),
        ("[check]\nmax-findings = true", "max-findings = True: expected a whole number"),
        ("[check]\nmax-findings = -1", "max-findings = -1: -1 is not in the range"),
        ("min-coverage = 101", "min-coverage = 101: 101.0 is not in the range"),
        ("min-coverage = '90'", "min-coverage = '90': expected a number"),
        ("[record]\nquiet = 'yes'", "[record] has quiet = 'yes': expected true or false"),
        ("select = [1]", "has select = [1]: expected text"),
        ("check = 1", "[check] has check = 1: expected a table"),
        ("format = 'json'", "has format: it means another thing to each command"),
        ("[tool.synctrace]\nfail-on = 'note'", "outside of pyproject.toml leave `tool.synctrace`"),
        ("suppress = 1", "[[suppress]] has suppress = 1: expected a list"),
        ("[[suppress]]\nid = '3f9c1e07'", "[[suppress]] 1 has no key 'reason': add it"),
        ("[[suppress]]\nid = '3f9c1e07'\nreason = ' '", "has reason = ' ': expected printable"),
        ("[[suppress]]\nid = 'x'\nreason = 'y'", "has id = 'x': expected 8 hexadecimal digits"),
        ("[[suppress]]\nreason = 'y'", "has neither id nor rule"),
        ("[[suppress]]\nrule = 'RACE'\nreason = 'y'", "has a rule without site or buffer"),
        ("[[suppress]]\nrule = 'RACE9'\nsite = '*'\nreason = 'y'", "has rule = 'RACE9': expected"),
        ("[[suppress]]\nrule = 'TRACE01'\nsite = '*'\nreason = 'y'", "cannot be suppressed"),
        ("[[suppress]]\nrule = 'T'\nsite = '*'\nreason = 'y'", "cannot be suppressed"),
        (
            "[[suppress]]\nid = '3f9c1e07'\nrule = 'RACE'\nreason = 'y'",
            "[[suppress]] 1 has an id and more",
        ),
        (
            "[[suppress]]\nid = '3f9c1e07'\nreason = 'y'\nuntil = '2027-01-01'",
            "has until = '2027-01-01': expected a date",
        ),
        ("[[suppress]]\nid = '3f9c1e07'\nreason = 'y'\nwhy = 1", "has the unknown key 'why'"),
        ("[budget]\n", "[budget] has no limit: expected one of syncs_per_iteration"),
        ("[budget]\nsyncs = 3", "[budget] has the unknown key 'syncs'"),
        ("[budget]\nlaunches = '3'", "[budget] has launches = '3': expected a number from 0"),
        ("[budget]\nlaunches = -1", "expected a number from 0"),
        ("[budget]\nlaunches = nan", "expected a number from 0"),
        ("[budget]\nlaunches = 1\njudge = 'mean'", "has judge = 'mean': expected one of median"),
        ("[budget]\nlaunches = 1\n[[budget.allow]]\nsite = 'f'", "[[budget.allow]] 1 has no key"),
        ("fail-on = 'error'\nfail_on = 'never'", "the head has fail_on and fail-on: they are one"),
        ("[check]\nmin_coverage = nan", "nan is not in the range 0<=x<=100"),
    ],
)
def test_what_is_wrong_is_one_sentence(settings: str, words: str, check: Called) -> None:
    done = check(RACE, settings)
    refused(done, words)
    assert "synctrace.toml" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_table_of_pyproject_is_named_in_full(here: Path) -> None:
    (here / "pyproject.toml").write_text("[tool.synctrace.check]\nfoo = 1\n")
    with pytest.raises(SynctraceError, match=r"^settings pyproject.toml: \[tool.synctrace.check\]"):
        load(None, False, CONFIGURED)
    (here / "pyproject.toml").write_text("[project]\n")
    with pytest.raises(SynctraceError, match=r"has no table \[tool.synctrace\]: add it"):
        load("pyproject.toml", False, CONFIGURED)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--fail-on", "never", "--max-findings", "3"], "--fail-on never fails nothing: leave"),
        (["--max-findings", "-1"], "-1 is not in the range"),
        (["--min-coverage", "200"], "200.0 is not in the range"),
        (["--baseline", "a", "-o", "./a"], "-o would write a text report over the baseline a"),
        (["--baseline", "nowhere.json"], "cannot read baseline nowhere.json"),
    ],
)
def test_options_that_mean_nothing(options: list[str], words: str, check: Called) -> None:
    refused(check(RACE, "", *options), words)


# A baseline and suppressions, as the settings have them


def test_a_baseline_of_the_settings(check: Called, here: Path) -> None:
    (here / "ci").mkdir()
    assert check(RACE, "", "-F", "json", "-o", "ci/base.json").returncode == 1
    done = check(RACE, "[check]\nbaseline = 'ci/base.json'")
    assert done.returncode == 0
    assert "gate: baseline ci/base.json: 0 new, 1 known, 0 gone\n" in done.stdout
    anew = [line for line in done.stdout.splitlines() if "to take these as known" in line]
    assert anew == [], "nothing has changed"


def test_a_suppressed_race_does_not_fail_and_is_told(check: Called) -> None:
    settings = "[[suppress]]\nrule = 'RACE04'\nbuffer = 'h_*'\nreason = 'issue 7'\n"
    told = "suppressed 1 finding (1 instance) by RACE04 on h_*: issue 7"
    done = check(RACE, settings)
    assert (done.returncode, done.stderr) == (0, "")
    assert f"synctrace: gate: {told}\n" in done.stdout
    done = check(RACE, settings, "-F", "gitlab")
    assert (done.returncode, json.loads(done.stdout)) == (0, [])
    assert told in done.stderr


def test_other_findings_are_not_suppressed(check: Called) -> None:
    done = check(RACE, "[[suppress]]\nrule = 'RACE'\nsite = 'elsewhere'\nreason = 'y'\n")
    assert done.returncode == 1
    assert "gate: unused suppression of RACE" in done.stdout


def test_an_expired_suppression_is_told_and_fails(check: Called) -> None:
    settings = "[[suppress]]\nrule = 'RACE'\nsite = '*'\nreason = 'y'\nuntil = 2020-01-01\n"
    done = check(RACE, settings)
    assert done.returncode == 1
    assert "expired on 2020-01-01, it would still hit 1 finding" in done.stdout


# The page


def test_the_examples_of_the_page_are_read(tmp_path: Path) -> None:
    blocks = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.M | re.S)
    (tmp_path / "pyproject.toml").write_text("\n".join(blocks))
    settings = read(tmp_path / "pyproject.toml", list(CONFIGURED))
    assert settings.budget is not None
    assert settings.budget.limits["syncs_per_iteration"] == 6
    assert [s.rule or s.id for s in settings.suppressions] == ["RACE04", "3f9c1e07"]
    assert settings.options["check"]["baseline"] == "ci/synctrace.json"


@pytest.mark.parametrize("measure", MEASURES)
def test_the_page_names_every_limit(measure: str) -> None:
    assert measure in PAGE.split("## Gates")[1].split("## Settings")[0]
