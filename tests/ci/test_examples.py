"""The examples for GitHub and GitLab, as far as they can be proven without either.

Their files fit the services' schemas; each of their scripts is run as a runner would run it, in an
empty folder, with the runner's files and variables.
"""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from check_jsonschema import main as check_jsonschema
from ggml.conftest import StandIn
from ruamel.yaml import YAML

from .conftest import ROOT

EXAMPLES = ROOT / "examples/ci"
FILES = {
    "github/action.yml": "vendor.github-actions",
    "github/workflow.yml": "vendor.github-workflows",
    "gitlab-ci.yml": "vendor.gitlab-ci",
}
# What `shell: bash` is on GitHub.
BASH = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"]
# In place of an installation: a venv whose pip notes what it is told and brings the command.
PYTHON = f"""#!/bin/bash
mkdir -p "$3/bin"
printf '#!/bin/bash\\necho "$@" >>pip.log\\n' >"$3/bin/pip"
printf '#!/bin/bash\\nexec {sys.executable} -m synctrace "$@"\\n' >"$3/bin/synctrace"
chmod +x "$3"/bin/*
"""


def load(name: str) -> Any:
    return YAML(typ="safe").load(EXAMPLES / name)


ACTION = load("github/action.yml")
INSTALL, RUN, *UPLOADS = ACTION["runs"]["steps"]
GITLAB = load("gitlab-ci.yml")["synctrace"]


def fits(path: Path, schema: str) -> bool:
    """Whether the file fits the schema that comes with check-jsonschema."""
    with pytest.raises(SystemExit) as left:
        check_jsonschema(["--quiet", "--builtin-schema", schema, str(path)])
    return not left.value.code


@pytest.mark.parametrize("name", FILES)
def test_the_file_fits_the_schema(name: str) -> None:
    assert fits(EXAMPLES / name, FILES[name])


def test_the_schema_refuses_what_is_wrong(tmp_path: Path) -> None:
    text = (EXAMPLES / "github/action.yml").read_text()
    (tmp_path / "action.yml").write_text(text.replace("using: composite", "using: something"))
    assert not fits(tmp_path / "action.yml", FILES["github/action.yml"])


def steps() -> list[dict[str, Any]]:
    workflow = load("github/workflow.yml")
    return [*ACTION["runs"]["steps"], *(s for j in workflow["jobs"].values() for s in j["steps"])]


def test_no_expression_is_part_of_a_script() -> None:
    assert [step["name"] for step in steps() if "${{" in step.get("run", "")] == []


def test_other_actions_are_pinned() -> None:
    used = [step["uses"] for step in steps() if "uses" in step]
    assert len(used) == 4
    for name in used:
        assert re.fullmatch(
            r"[\w/-]+@[0-9a-f]{40}|OWNER/synctrace/examples/ci/github@v[\d.]+", name
        )


def test_every_input_is_used_and_every_output_is_made() -> None:
    told = json.dumps(ACTION["runs"])
    assert [name for name in ACTION["inputs"] if f"inputs.{name}" not in told] == []
    outputs = re.findall(r"steps\.run\.outputs\.([\w-]+)", json.dumps(ACTION))
    assert set(outputs) >= {"exit-code", "reports", "traces", "sarif", "folder"}
    assert [name for name in outputs if f'echo "{name}=' not in RUN["run"]] == []
    given = load("github/workflow.yml")["jobs"]["order"]["steps"][-1]["with"]
    assert set(given) <= set(ACTION["inputs"])


@dataclass(frozen=True)
class Runner:
    """A runner's folder, with its files beside the checkout."""

    checkout: Path

    def run(self, script: str, **env: str) -> subprocess.CompletedProcess[str]:
        stubs = self.checkout.parent / "stubs"
        path = f"{stubs}:{os.environ['PATH']}"
        return subprocess.run(
            [*BASH, script], cwd=self.checkout, env={**os.environ, "PATH": path, **env},
            capture_output=True, text=True, timeout=120,
        )  # fmt: skip

    def step(self, step: dict[str, Any], **inputs: str) -> subprocess.CompletedProcess[str]:
        """A step of the action, with these inputs and the defaults of the others."""
        given = {name: told.get("default", "") for name, told in ACTION["inputs"].items()} | inputs
        env = {
            key: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda m: given[m[1]], value)
            for key, value in step["env"].items()
        }
        files = {
            name: str(self.checkout.parent / name)
            for name in ("RUNNER_TEMP", "GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")
        }
        return self.run(step["run"], GITHUB_ACTION_PATH="/a/examples/ci/github", **files, **env)

    def outputs(self) -> dict[str, str]:
        lines = (self.checkout.parent / "GITHUB_OUTPUT").read_text().splitlines()
        return dict(line.split("=", 1) for line in lines)


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    for name in ("RUNNER_TEMP", "checkout", "stubs"):
        (tmp_path / name).mkdir()
    python = tmp_path / "stubs/python3"
    python.write_text(PYTHON)
    python.chmod(0o755)
    return Runner(tmp_path / "checkout")


@pytest.fixture
def github(runner: Runner) -> Runner:
    """With synctrace installed by the action's first step."""
    assert runner.step(INSTALL).returncode == 0
    assert (
        runner.checkout / "pip.log"
    ).read_text() == "install --quiet /a/examples/ci/github/../../..\n"
    return runner


def test_another_source_is_installed_when_asked_for(runner: Runner) -> None:
    assert runner.step(INSTALL, source="synctrace @ file:///a b").returncode == 0
    assert "file:///a b\n" in (runner.checkout / "pip.log").read_text()


def test_the_action_fails_a_race_and_its_report_is_the_next_baseline(
    github: Runner, app: StandIn
) -> None:
    command = f"{app.program} rewrites 2 && echo '::error::from the program'"
    done = github.step(RUN, command=command, args='--ignore "SYNC, COPY" --source-root /')
    assert done.returncode == 1, done.stderr
    lines = done.stdout.splitlines()
    stop, resume = lines[0], next(n for n, line in enumerate(lines) if n and len(line) == 36)
    assert stop == f"::stop-commands::{lines[resume][2:-2]}"
    assert "::error::from the program" in lines[:resume]
    assert "RACE04 host touch" in done.stdout, "the text, in the log"
    [annotation] = lines[resume + 1 :]
    assert annotation.startswith("::error title=RACE04 host touch of a buffer in flight,file=")
    out = github.outputs()
    assert (out["exit-code"], out["traces"]) == ("1", f"{out['folder']}/traces")
    [trace] = Path(out["traces"]).iterdir()
    assert (trace / "meta.json").is_file()
    log = json.loads(Path(out["sarif"]).read_text())
    assert [result["ruleId"] for result in log["runs"][0]["results"]] == ["RACE04"]
    summary = (github.checkout.parent / "GITHUB_STEP_SUMMARY").read_text()
    assert summary == Path(out["reports"], "report.md").read_text()
    assert summary.startswith("### synctrace: 1 error")

    baseline = Path(out["reports"], "report.json").rename(github.checkout / "known.json")
    again = github.step(RUN, command=command, baseline=baseline.name)
    assert again.returncode == 0, again.stdout
    assert github.outputs()["exit-code"] == "0"


@pytest.mark.parametrize("inputs", [{"fail-on": "$(touch it)`touch it`;touch it"}, {"args": "'"}])
def test_bad_inputs_fail_the_step_and_run_nothing(github: Runner, inputs: dict[str, str]) -> None:
    done = github.step(RUN, command="touch it", **inputs)
    assert done.returncode == 2, done.stdout
    assert github.outputs()["exit-code"] == "2"
    assert not (github.checkout / "it").exists()


def test_a_program_that_cannot_be_recorded_fails_the_step(github: Runner) -> None:
    done = github.step(RUN, command="printf 'no end of line'")
    assert done.returncode == 125
    lines = done.stdout.splitlines()
    assert [line for line in lines if line.startswith("::") and len(line) == 36] == lines[-1:]
    assert "no call of ggml, CUDA or HIP was seen" in done.stderr
    assert github.outputs()["exit-code"] == "125"
    assert "sarif" not in github.outputs()


def test_uploads_are_made_after_a_failure_too() -> None:
    for step in UPLOADS:
        assert step["if"].startswith("${{ !cancelled() && ")
    assert "steps.run.outputs.folder }}" in UPLOADS[1]["with"]["path"], "reports and traces"


def test_the_gitlab_job(runner: Runner, app: StandIn) -> None:
    (runner.checkout / "Makefile").write_text("app:\n\ttouch app\n")
    variables = {
        **GITLAB["variables"],
        "SYNCTRACE_COMMAND": f"{app.program} rewrites 2",
        "SYNCTRACE_ARGS": "--ignore SYNC",
    }
    done = runner.run("\n".join([*GITLAB["before_script"], *GITLAB["script"]]), **variables)
    assert done.returncode == 1, done.stderr
    assert "install --quiet git+https://" in (runner.checkout / "pip.log").read_text()
    assert (runner.checkout / "app").exists()
    reports = GITLAB["artifacts"]["reports"]
    [issue] = json.loads((runner.checkout / reports["codequality"]).read_text())
    assert issue["check_name"] == "RACE04"
    suite = ElementTree.parse(runner.checkout / reports["junit"]).getroot()
    assert suite.get("failures") == "1"
    [kept] = GITLAB["artifacts"]["paths"]
    out = runner.checkout / kept
    assert {path.name for path in out.iterdir()} == {
        *("codequality.json", "junit.xml", "report.json", "report.md", "traces")
    }
    after = "\n".join(GITLAB["after_script"])
    assert runner.run(after, CI_JOB_STATUS="failed").returncode == 0
    assert len(list((out / "traces").iterdir())) == 1
    assert runner.run(after, CI_JOB_STATUS="success").returncode == 0
    assert not (out / "traces").exists()
