"""An unmodified, prebuilt llama.cpp on Mesa's CPU Vulkan driver, a tiny model and a small driver.

Where one of them is missing the tests are skipped with the reason, or fail if
SYNCTRACE_REQUIRE_LAVAPIPE is set (CI sets it).
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CACHE = ROOT / ".cache/llama"
LIBRARIES = CACHE / "package/bins/linux-x64-vulkan"
VARIANTS = CACHE / "variants"


@dataclass(frozen=True)
class Llama:
    """Paths of the prebuilt libraries, the tiny model and the driver program."""

    libraries: Path
    model: Path
    driver: Path

    def command(self, layers: int = 99, tokens: int = 8, *rest: int) -> list[str]:
        """The driver's command line."""
        arguments = [layers, tokens, *rest]
        return [str(p) for p in (self.driver, self.libraries, self.model, *arguments)]


def missing(reason: str) -> None:
    if os.environ.get("SYNCTRACE_REQUIRE_LAVAPIPE"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def llama() -> Llama:
    if not (LIBRARIES / "libggml-vulkan.so").exists():
        missing("no prebuilt llama.cpp here: run examples/llama/setup.sh")
    if not list(Path("/usr/share/vulkan/icd.d").glob("lvp_icd*.json")):
        missing("no lavapipe here: apt-get install mesa-vulkan-drivers libvulkan1")
    model, driver = CACHE / "tiny.gguf", CACHE / "driver"
    source = ROOT / "examples/llama/driver.c"
    if not model.exists():
        writer = ROOT / "examples/llama/write_model.py"
        with whole(model) as made:
            subprocess.run([sys.executable, writer, made, "4"], check=True)
    if not driver.exists() or driver.stat().st_mtime < source.stat().st_mtime:
        with whole(driver) as made:
            subprocess.run(["cc", "-O1", "-o", made, source, "-ldl"], check=True)
    return Llama(LIBRARIES, model, driver)


@contextmanager
def whole(file: Path) -> Iterator[Path]:
    """Where to make a file that another process may be making, or using, too."""
    with tempfile.TemporaryDirectory(dir=file.parent) as place:
        made = Path(place, file.name)
        yield made
        made.replace(file)


@pytest.fixture(scope="session", params=["newest", "pr20793"])
def variant(request: pytest.FixtureRequest, llama: Llama) -> Llama:
    """The same program on a scheduler variant of variants.py; each in turn, or the one asked for.

    To ask: `@pytest.mark.parametrize("variant", ["pr20793"], indirect=True)`.
    """
    libraries = VARIANTS / request.param
    if not (libraries / "libggml-base.so").exists():
        missing(f"no scheduler variant {request.param} here: run tests/llama/variants.py")
    return replace(llama, libraries=libraries)


@pytest.fixture(scope="session")
def variants(llama: Llama) -> Path:
    """The folder of both scheduler variants."""
    for name in ("newest", "pr20793"):
        if not (VARIANTS / name / "libggml-base.so").exists():
            missing(f"no scheduler variant {name} here: run tests/llama/variants.py")
    return VARIANTS
