"""A program stays what it is with the recorder among its backends, whatever ggml it has."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from synctrace.tracer.launch import record
from synctrace.tracer.library import recorder_library
from synctrace.tracer.reader import open_trace
from synctrace.tracer.route import Via, nothing_seen

from .conftest import HERE, SHARED, Recording, StandIn, build_within, compiler


def run(*command: str, **more: str) -> "subprocess.CompletedProcess[str]":
    env = os.environ | more
    return subprocess.run(command, capture_output=True, text=True, timeout=60, env=env)


def through(out: Path, *command: str, via: Via = "auto") -> list[str]:
    """The command under the recorder."""
    options = ["-q", "-o", str(out), "--via", via]
    return [sys.executable, "-m", "synctrace", "record", *options, "--", *command]


def other_backend(folder: Path, *flags: str) -> str:
    """A backend library of somebody else's."""
    library = folder / "libother.so"
    sources = [str(HERE / name) for name in ("other_backend.c", "fake_device.c")]
    hidden = ["-DLAYOUT_2D", "-fvisibility=hidden", *flags]
    subprocess.run([*compiler(), *hidden, *SHARED, *sources, "-o", str(library)], check=True)
    return str(library)


@pytest.mark.parametrize("scenario", ["tokens", "copies", "registries"])
@pytest.mark.parametrize("via", ["preload", "auto", "plugin"])
def test_output_is_untouched(
    fake: StandIn, fake_within: StandIn, tmp_path: Path, scenario: str, via: Via
) -> None:
    """But for the list of backends: the plug-in is one, without devices."""
    for number, stand_in in enumerate((fake, fake_within)):
        plain = run(stand_in.program, scenario, "3")
        seen = run(*through(tmp_path / str(number), stand_in.program, scenario, "3", via=via))
        output = seen.stdout.replace("synctrace 0\n", "")
        assert output == plain.stdout
        assert plain.stderr in seen.stderr
        assert (output != seen.stdout) == (scenario == "registries" and via != "preload")


@pytest.mark.parametrize(
    "variable",
    [
        pytest.param(("FAKE_VERSION", "1"), id="older-interface"),
        pytest.param(("FAKE_VERSION", "3"), id="newer-interface"),
        pytest.param(("FAKE_OTHER_DEVICE", "1"), id="other-layout"),
        pytest.param(("FAKE_CONSTANT", "1"), id="constant-memory"),
        pytest.param(("FAKE_NO_LOAD", "1"), id="no-load-all"),
    ],
)
@pytest.mark.parametrize("via", ["auto", "plugin"])
def test_what_it_does_not_know_it_leaves_alone(
    fake_within: StandIn,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    variable: tuple[str, str],
    via: Via,
) -> None:
    monkeypatch.setenv(*variable)
    plain = run(fake_within.program, "tokens", "3")
    result = record([fake_within.program, "tokens", "3"], str(tmp_path / "t.synctrace"), via=via)
    assert (result.exit_code, result.message) == (125, nothing_seen(via))
    seen = capfd.readouterr()
    assert (seen.out, seen.err) == (plain.stdout, plain.stderr)


def test_what_cannot_be_followed_is_a_loss(
    fake_within: StandIn, recorded: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Devices are known, their backends are not: those are left alone."""
    monkeypatch.setenv("FAKE_OTHER_BACKEND", "1")
    done = recorded("tokens", 2, fake_within)
    assert done.result.exit_code == 0
    assert not done.trace.complete
    assert done.trace.lost == ("objects that could not be followed: 2",)
    assert done.ops("ggml_backend_graph_compute_async") == []


@pytest.mark.parametrize("via", ["auto", "preload", "plugin"])
def test_one_sentence_says_what_to_try(via: Via) -> None:
    sentence = nothing_seen(via)
    assert sentence.startswith("no call of ggml, CUDA or HIP was seen")
    assert "\n" not in sentence and not sentence.endswith(".")
    assert ("ggml_backend_load_all" in sentence) == (via != "preload")
    assert ("--via" in sentence) == (via != "auto")


@pytest.mark.parametrize("within", [False, True])
def test_a_backend_of_the_users_own_is_loaded(
    fake: StandIn,
    fake_within: StandIn,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    within: bool,
) -> None:
    """In place of the plug-in's empty one: the program's list of backends is as without it."""
    program = (fake_within if within else fake).program
    monkeypatch.setenv("GGML_BACKEND_PATH", other_backend(tmp_path))
    plain = run(program, "registries", "3")
    seen = run(*through(tmp_path / "r.synctrace", program, "registries", "3"))
    assert seen.stdout == plain.stdout == "Fake 5\nOther 5\ndone registries 3\n"
    result = record([program, "elsewhere", "3"], str(tmp_path / "t.synctrace"))
    assert result.exit_code == 0, result.message
    done = Recording(result, open_trace(result.traces[0]))
    assert done.trace.meta["via"] == ("plugin" if within else "preload")
    assert len(done.ops("ggml_backend_tensor_memset")) == 3
    assert len(done.ops("ggml_backend_synchronize")) == 3


@pytest.mark.parametrize("what", ["missing", "no backend", "unsupported"])
def test_a_backend_of_the_users_own_that_does_not_load(
    fake_within: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """The program runs on without it, and is recorded."""
    paths = {"missing": lambda: str(tmp_path / "none.so"), "no backend": lambda: "libm.so.6"}
    path = paths.get(what, lambda: other_backend(tmp_path, "-DUNSUPPORTED"))()
    monkeypatch.setenv("GGML_BACKEND_PATH", path)
    done = record([fake_within.program, "tokens", "3"], str(tmp_path / "t.synctrace"))
    assert done.exit_code == 0, done.message
    trace = Recording(done, open_trace(done.traces[0]))
    assert len(trace.ops("ggml_backend_graph_compute_async")) == 3


def test_by_name_only_their_variable_is_left_alone(
    fake: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GGML_BACKEND_PATH", "theirs")
    script = f'echo "$GGML_BACKEND_PATH"; {fake.program} tokens 1 >/dev/null'
    done = run(*through(tmp_path / "t.synctrace", "sh", "-c", script, via="preload"))
    assert (done.returncode, done.stdout) == (0, "theirs\n"), done.stderr


def test_without_record_the_plug_in_is_silent(fake_within: StandIn, tmp_path: Path) -> None:
    plain = run(fake_within.program, "tokens", "2")
    loaded = run(fake_within.program, "tokens", "2", GGML_BACKEND_PATH=str(recorder_library()))
    assert (loaded.stdout, loaded.stderr) == (plain.stdout, plain.stderr)
    assert list(tmp_path.iterdir()) == []


def test_a_recorder_around_the_recorder(fake_within: StandIn, tmp_path: Path) -> None:
    """The inner one records; its plug-in is not taken for one of the user's own."""
    inner = through(tmp_path / "inner.synctrace", fake_within.program, "tokens", "3")
    result = record(inner, str(tmp_path / "outer.synctrace"))
    assert (result.exit_code, result.traces) == (125, [])
    assert open_trace(tmp_path / "inner.synctrace").meta["via"] == "plugin"


def test_exported_names_of_a_program_are_found(fake_within_old: StandIn, recorded: Any) -> None:
    """What a ggml without the 2d functions does not export is not found in the recorder either."""
    done = recorded("tokens", 2, fake_within_old)
    assert done.trace.complete
    assert done.trace.meta["versions"] == {"ggml": "0.0.1-fake", "ggml_commit": "fake"}


def test_a_program_that_was_linked_before(tmp_path: Path) -> None:
    """Without a fixed place in memory or with: both are found."""
    for flags in (["-pie", "-fPIE"], ["-no-pie"]):
        folder = tmp_path / flags[0]
        folder.mkdir()
        program = build_within(folder, "-DLAYOUT_2D", "-rdynamic", *flags).program
        result = record([program, "tokens", "2"], str(folder / "t.synctrace"))
        assert result.exit_code == 0, result.message
        assert open_trace(folder / "t.synctrace").meta["via"] == "plugin"
