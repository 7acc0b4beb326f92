"""One direction: a module imports only modules of its own or an earlier stage.

The table is the one of docs/internals.md, module by module; a new module is entered on purpose.
"""

import ast
import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from synctrace.analyzer import passes
from synctrace.analyzer.order import VERDICTS
from synctrace.analyzer.profile import load
from synctrace.analyzer.statement import Class, Edge, Statement
from synctrace.tracer.kinds import Flag, Kind

ROOT = Path(__file__).parents[1]
PARTS = ("tracer", "analyzer", "rules")

STAGES: dict[str, str] = {
    "contract": """
        tracer.errors tracer.faults tracer.kinds tracer.schema tracer.vocabulary tracer.describe
    """,
    "record": """
        tracer.naming tracer.renamed tracer.writer tracer.operation tracer.case_handles
        tracer.case_graphs tracer.case_memory tracer.case tracer.resources tracer.capture
        tracer.accesses tracer.case_rows tracer.scenario tracer.launch
        tracer.rings
        tracer.drain tracer.session tracer.symbols tracer.modules tracer.rows tracer.columns
        tracer.ranges tracer.versions tracer.objects tracer.ops tracer.route tracer.growth
        tracer.library tracer.ring_folder tracer.binding tracer.told tracer.tell tracer.annotations
        tracer.recording tracer.scheduler tracer.cupy tracer.machine tracer.rocpd tracer.watch
        tracer.unpackers tracer.cupti tracer.device_times tracer.losses tracer.sass
    """,
    "trace": "tracer.decoded tracer.meta tracer.reader tracer.added tracer.kernel_code",
    "order": """
        analyzer.toml_reader analyzer.conditions analyzer.statement analyzer.profile analyzer.abi
        analyzer.engine analyzer.placements analyzer.passes analyzer.numbered analyzer.told_stores
        analyzer.known_modes analyzer.extents
        analyzer.sharing analyzer.outcome analyzer.effort analyzer.value_waits analyzer.op_batches
        analyzer.stream
        analyzer.hiding
        analyzer.ported analyzer.layers analyzer.order analyzer.history analyzer.replay
        analyzer.skeleton analyzer.narrow analyzer.examine
    """,
    "rules": "rules analyzer.rule analyzer.joinable analyzer.kind_macros analyzer.connect",
    "findings": """
        analyzer.fingerprint analyzer.finding analyzer.verdict analyzer.called analyzer.words
        analyzer.lookup
        analyzer.census analyzer.branches analyzer.named analyzer.late analyzer.pairs
        analyzer.proposals analyzer.syncs analyzer.told_once analyzer.advice
        analyzer.coverage analyzer.suppression analyzer.budget analyzer.spending analyzer.check
        analyzer.baseline analyzer.settings analyzer.gate
    """,
    "report": """
        analyzer.report analyzer.query analyzer.answer analyzer.saved_query analyzer.profile_text
        analyzer.profile_diff analyzer.explain
    """,
    "command": """
        analyzer.notes analyzer.options analyzer.defaults analyzer.completion analyzer.progress
        analyzer.screen analyzer.prompt analyzer.shell_words analyzer.shell analyzer.answer_file
        analyzer.output analyzer.whole_file analyzer.report_files analyzer.api
        analyzer.pytest_plugin analyzer.pytest_recording analyzer.pytest_gate
        analyzer.pytest_child analyzer.checkup analyzer.checkup_machine analyzer.checkup_recorder
        analyzer.checkup_recordable analyzer.checkup_analyzer
        analyzer.commands analyzer.cli
        synctrace
    """,
}
# Packages whose every module is of the package's stage.
WHOLE = (
    "analyzer.report",
    "analyzer.commands",
    "tracer.cupy",
    "tracer.sass",
    "tracer.rocpd",
    "tracer.machine",
    "tracer.scheduler",
)
# Folders that hold stages of several kinds: nothing but a docstring in their __init__.
FOLDERS = ("tracer", "analyzer")

ORDER = list(STAGES)
STAGE_OF = {module: stage for stage, modules in STAGES.items() for module in modules.split()}


def product() -> dict[str, Path]:
    """Every module of the product by its name within `synctrace`, and its file."""
    found = {}
    for part in PARTS:
        for file in sorted((ROOT / part).rglob("*.py")):
            names = file.relative_to(ROOT).with_suffix("").parts
            if "native" not in names:
                found[".".join(name for name in names if name != "__init__")] = file
    for file in (ROOT / "analyzer/native/package").glob("*.py"):
        found["synctrace" if file.stem == "__init__" else f"synctrace.{file.stem}"] = file
    return found


MODULES = product()
# What imports CuPy: it cannot be loaded without, and says so (tests/cupy_calls/test_import.py).
CUPY = re.compile(r"\.cupy\.|\.cupy_\w+$")
HAS_CUPY = importlib.util.find_spec("cupy_backends") is not None
KNOWN = {*MODULES, *STAGE_OF}


def stage(module: str) -> str | None:
    """Stage of a module: its own entry, or that of a package that is of one stage."""
    if module.startswith("synctrace"):
        return STAGE_OF["synctrace"]
    for package in WHOLE:
        if module.startswith(f"{package}."):
            return STAGE_OF[package]
    return STAGE_OF.get(module)


def imports(source: str, known: set[str]) -> Iterator[str]:
    """Modules of the product that the source names in an import, wherever it stands."""
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: write the import out, from synctrace.…"
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            names = [
                n if n.removeprefix("synctrace.") in known else str(node.module) for n in whole
            ]
        elif isinstance(node, ast.Call) and "import" in ast.unparse(node.func) and node.args:
            first = node.args[0]
            names = [str(first.value)] if isinstance(first, ast.Constant) else []
        for name in names:
            if name.split(".")[0] == "synctrace":
                yield name.removeprefix("synctrace.")


def back_edges(module: str, source: str) -> list[str]:
    """Imports of a later stage; an import of a folder instead of a module counts as one."""
    own = stage(module)
    assert own, f"{module} has no stage: enter it in tests/test_stages.py and docs/internals.md"
    wrong = []
    for name in imports(source, KNOWN):
        theirs = stage(name)
        if theirs is None or ORDER.index(theirs) > ORDER.index(own):
            wrong.append(f"{module} ({own}) imports {name} ({theirs})")
    return wrong


@pytest.mark.parametrize("module", [name for name in MODULES if name not in FOLDERS])
def test_no_back_edge(module: str) -> None:
    assert back_edges(module, MODULES[module].read_text()) == []


@pytest.mark.parametrize("folder", FOLDERS)
def test_folders_import_nothing(folder: str) -> None:
    assert list(imports(MODULES[folder].read_text(), KNOWN)) == []


def test_the_tracer_never_imports_the_analyzer() -> None:
    for name, file in MODULES.items():
        if name.startswith("tracer"):
            named = list(imports(file.read_text(), KNOWN))
            assert [other for other in named if not other.startswith("tracer")] == [], name


def test_only_commands_know_how_to_record() -> None:
    """Judging a trace needs no recorder: an analyzer on another machine may have none."""
    for name, file in MODULES.items():
        if not name.startswith("tracer") and stage(name) != "command" and name != "analyzer":
            recording = [m for m in imports(file.read_text(), KNOWN) if stage(m) == "record"]
            assert recording == [], name


@pytest.mark.parametrize(
    "source",
    [
        "import synctrace.analyzer.order",
        "from synctrace.analyzer.order import run",
        "from synctrace.analyzer import order",
        "def f():\n    from synctrace.analyzer import order",
        "if TYPE_CHECKING:\n    from synctrace.analyzer.order import Order",
        "importlib.import_module('synctrace.analyzer.order')",
        "import synctrace.analyzer",
    ],
)
def test_a_back_edge_is_seen(source: str) -> None:
    assert back_edges("tracer.reader", source)


def test_a_forward_edge_is_none() -> None:
    assert back_edges("analyzer.cli", "from synctrace.analyzer.order import run") == []
    assert back_edges("analyzer.order", "import json, pyarrow") == []


def test_the_table_and_the_page_agree() -> None:
    """Every stage of the page is here, in its order, and both name the same modules."""
    rows = [
        [cell.strip() for cell in line.split("|")[1:3]]
        for line in (ROOT / "docs/internals.md").read_text().splitlines()
        if line.startswith("| ")
    ]
    told = [(name, cell) for name, cell in rows if name in STAGES]
    assert [name for name, _ in told] == ORDER
    for name, cell in told:
        named = cell.replace("`", "").replace(".*", "").split(", ")
        assert sorted(named) == sorted(STAGES[name].split())


def test_the_page_names_every_pass() -> None:
    """What json reports under `passes`, each in a row of its own."""
    page = (ROOT / "docs/internals.md").read_text().split("## Pass\n")[1]
    told = re.findall(r"^\| `([\w-]+)`", page, re.M)
    world = passes.Seen(2, True, True, True, True, list(Kind), Flag(0), shared=True)
    contract = load("ggml-contract")
    edge = Edge("host-waits-event", Class.UNFENCED, "test")
    unfenced = Statement(kinds=(Kind.EVENT_SYNC,), edges=(edge,))
    model = replace(contract, statements=(*contract.statements, unfenced))
    plan = passes.plan(model, world, "observed")
    assert sorted(told) == sorted(each.name for each in plan)
    assert [name for name in told if name in VERDICTS] == list(VERDICTS)


PROBE = """
import importlib, json, sys
for name in json.loads(sys.argv[1]):
    importlib.import_module(name)
twins = {}
for name, module in list(sys.modules.items()):
    if file := getattr(module, "__file__", None):
        twins.setdefault(file, []).append(name)
ours = {file: names for file, names in twins.items() if any("synctrace" in n for n in names)}
print(json.dumps([sorted(sys.modules), [names for names in ours.values() if len(names) > 1]]))
"""


def test_nothing_is_loaded_twice() -> None:
    """From the checkout `import tracer` would work too, and give second copies of every class."""
    names = [
        name if name.startswith("synctrace") else f"synctrace.{name}"
        for name in MODULES
        if not name.endswith("__main__") and (HAS_CUPY or not CUPY.search(name))
    ]
    command = [sys.executable, "-c", PROBE, json.dumps(names)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    loaded, twins = json.loads(result.stdout)
    assert set(names) <= set(loaded)
    assert not {*PARTS} & {name.split(".")[0] for name in loaded}
    assert twins == []
