"""A user's project with tests of a program and of a library, as files for `pytest --synctrace`."""

from pathlib import Path

from ggml.conftest import StandIn

CONFTEST = """
import ctypes, subprocess
import pytest

def pytest_addoption(parser):
    parser.addoption("--tokens", type=int, default=1)

@pytest.fixture(scope="session")
def app(pytestconfig):
    def run(name):
        subprocess.run(["{program}", name, str(pytestconfig.getoption("tokens"))], check=True)
    return run

@pytest.fixture
def inside():
    library = ctypes.CDLL("{library}")
    return lambda name: library.run_scenario(name.encode(), 3)
"""

OUTCOMES = r"""
import os, signal, time, warnings
import pytest

class TestClass:
    @pytest.mark.parametrize("odd", ["a::b/../c [\xfc] %p"])
    def test_odd_id(self, app, odd, record_property):
        record_property("reached", "junit")
        app("tokens")

def test_race(app):
    print("its own output")
    app("rewrites")

def test_nothing_recorded():
    warnings.warn("a warning of the test", UserWarning)

def test_own_failure(app):
    app("rewrites")
    assert 1 == 2, "its own words"

def test_skipped():
    pytest.skip("not here")

@pytest.mark.xfail(reason="issue 1", strict=True)
def test_known_race(app):
    app("rewrites")

@pytest.mark.synctrace(select="SYNC", fail_on="warning")
def test_marked(inside):
    inside("tokens")

def test_killed(inside, tmp_path):
    inside("copies")
    os.kill(os.getpid(), signal.SIGSEGV)

@pytest.mark.timeout(1)
def test_hangs():
    time.sleep(60)
"""

FEW = """
def test_first(app):
    app("rewrites")

def test_second():
    pass
"""


def write(folder: Path, app: StandIn, tests: str) -> None:
    """Put the project into the folder."""
    text = CONFTEST.replace("{program}", app.program).replace("{library}", app.library)
    (folder / "conftest.py").write_text(text)
    (folder / "test_app.py").write_text(tests)
