"""One program under two schedulers: same numbers, no race in either, and each its own signature.

Both are shipped code in the setting it was shipped in. That they differ in their syncs, and that no
report calls either a race, is what these tests hold.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from synctrace.tracer.reader import open_trace

from . import variants
from .conftest import Llama
from .recording import environment, ops, races, recorded, report, rows, run

TOKENS = 8
SIGNATURES = {
    ("newest", 1): "g[CPU] sa sc sc sc sc sc g[Vulkan0]",
    ("pr20793", 1): "g[CPU] s aaaaaa s g[Vulkan0]",
    ("newest", 2): "g[CPU] wa Ec Ec Ec Ec g[Vulkan0] r wxsEc Ec Ec Ec Ec Ec g[Vulkan1] r",
    ("pr20793", 2): "g[CPU] s wa Ea Ea Ea Ea s g[Vulkan0] r"
    " s wxsEc Exsc Exsc Exsc Exsc Exsc s g[Vulkan1] r",
}


@pytest.fixture(scope="module")
def prebuilt_output(llama: Llama) -> Callable[..., str]:
    """What the program prints on the prebuilt libraries as they came; each setting runs once."""
    known: dict[tuple[int, ...], str] = {}

    def output(devices: int, *arguments: int) -> str:
        if (devices, *arguments) not in known:
            result = run(llama.command(*arguments), environment(devices))
            assert result.returncode == 0, result.stderr
            known[devices, *arguments] = result.stdout
        return known[devices, *arguments]

    return output


@pytest.mark.lavapipe
@pytest.mark.parametrize("devices", [1, 2])
def test_same_numbers_no_race_own_signature(
    variant: Llama, prebuilt_output: Callable[..., str], tmp_path: Path, devices: int
) -> None:
    name, trace = variant.libraries.name, tmp_path / "run.synctrace"
    output = recorded(variant.command(99, TOKENS), trace, environment(devices))
    assert output == prebuilt_output(devices, 99, TOKENS)
    assert open_trace(trace).meta["versions"]["ggml_commit"] == name
    [base] = rows(trace, f"SELECT path FROM module WHERE path LIKE '%{variants.BASE}'")
    assert (variant.libraries / variants.BASE).samefile(base["path"])
    found = report(trace)
    assert found["complete"] is True
    assert races(found) == []
    [decode] = rows(trace, "--saved", "signature")
    assert decode["signature"] == SIGNATURES[name, devices].replace(" ", "")
    assert decode["iterations"] == TOKENS + 1


@pytest.mark.lavapipe
@pytest.mark.parametrize(
    ("devices", "arguments"),
    [
        pytest.param(1, (2, TOKENS), id="partial-offload"),
        pytest.param(1, (99, TOKENS, 128, 16), id="one-device-eight-ubatches"),
        pytest.param(2, (99, TOKENS, 128, 16), id="two-devices-eight-ubatches"),
    ],
)
def test_no_race_with_more_splits_and_ubatches(
    variant: Llama,
    prebuilt_output: Callable[..., str],
    tmp_path: Path,
    devices: int,
    arguments: tuple[int, ...],
) -> None:
    trace = tmp_path / "run.synctrace"
    output = recorded(variant.command(*arguments), trace, environment(devices))
    assert output == prebuilt_output(devices, *arguments)
    assert races(report(trace)) == []
    assert ops(trace, "kind = 'graph_launch'") >= 2 * (TOKENS + 1)


SOURCE = """\
int helper(int x);  // declared, not defined: {
static enum status other(void) { return helper(1); }

static enum status helper(int x) {
    /* a brace in a comment: } */
    const char * text = "and in a string: } \\" }";
    if (x == '}') { return text[0]; }  // }
    return 0;
}

int after(void) { return helper(2); }
"""


def test_a_function_is_cut_by_its_own_braces() -> None:
    begin, end = variants.function_span(SOURCE, "helper")
    assert SOURCE[begin:end].startswith("static enum status helper(int x) {\n")
    assert SOURCE[begin:end].endswith("return 0;\n}")


def test_a_transplant_changes_that_function_only() -> None:
    donor = "int helper(\n    int y) {\n    return y;\n}\nint x;\n"
    got = variants.transplanted(SOURCE, donor, "helper")
    begin, end = variants.function_span(SOURCE, "helper")
    assert got == SOURCE[:begin] + "int helper(\n    int y) {\n    return y;\n}" + SOURCE[end:]


def test_a_function_that_is_not_there_is_said() -> None:
    with pytest.raises(variants.Missing, match="no definition of gone"):
        variants.function_span(SOURCE, "gone")
    with pytest.raises(variants.Missing, match="has no end"):
        variants.function_span(SOURCE[: SOURCE.index("return 0")], "helper")


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A prebuilt library, and nothing built or downloaded yet."""
    (tmp_path / variants.BASE).touch()
    monkeypatch.setattr(variants, "PREBUILT", tmp_path)
    monkeypatch.setattr(variants, "VARIANTS", tmp_path / "variants")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    return tmp_path


@pytest.mark.parametrize("lacks", ["prebuilt", "compiler", "network"])
def test_what_is_missing_is_one_sentence(
    bare: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    lacks: str,
) -> None:
    said = {
        "prebuilt": "no prebuilt llama.cpp here: run examples/llama/setup.sh",
        "compiler": "no compiler no-such-cc here: apt-get install gcc g++",
        "network": "no llama-cpp-python 0.3.36: is there a network? (pip says:",
    }
    if lacks == "prebuilt":
        (bare / variants.BASE).unlink()
    if lacks == "compiler":
        monkeypatch.setattr(variants, "CC", "no-such-cc")
    for arguments, code in ((), 2), (("--optional",), 0):
        assert variants.main(*arguments) == code
        errors = capfd.readouterr().err
        assert errors.startswith(f"scheduler variants: {said[lacks]}")
        assert errors.count("\n") == 1
    assert not (bare / "variants/built-by").exists()
