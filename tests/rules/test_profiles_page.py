"""docs/profiles.md: its example does what it says, its tables name all that there is."""

import json
import re
from pathlib import Path

import pytest

from synctrace.analyzer.explain import difference
from synctrace.analyzer.order import run
from synctrace.analyzer.profile import load, shipped
from synctrace.analyzer.statement import EDGES, Class, Place
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scenario import import_cases

PAGE = (Path(__file__).parents[2] / "docs/profiles.md").read_text("utf-8")


@pytest.fixture
def mine(tmp_path: Path) -> str:
    """The example as a file."""
    [text] = re.findall(r"^```toml\n(.*?)^```", PAGE, re.M | re.S)
    path = tmp_path / "mine.toml"
    path.write_text(text)
    return str(path)


def test_the_example_differs_from_its_base_as_told(mine: str) -> None:
    found = difference("cuda-doc", mine).split("\n\n")[1:]
    heads = [part.splitlines()[0] for part in found]
    assert heads == ["stream_destroy", "memcpy_async_h2d; memory pageable; up to 64 KiB"]


@pytest.mark.parametrize(
    ("size", "told"),
    [
        (65536, "memcpy_async_h2d reads at host (impl): measured: the source is free at return"),
        (131072, "host-waits-actor (may): CUDA 13.0 API synchronization behavior: a copy"),
    ],
)
def test_the_example_judges_as_told(mine: str, size: int, told: str, tmp_path: Path) -> None:
    span = [["h", 0, size]]
    ops = [
        {"op": "alloc_pageable", "writes": span},
        {"op": "memcpy_async_h2d", "stream": "S", "reads": span, "writes": [["d", 0, size]]},
        {"op": "host_write", "writes": span},
    ]
    case = {"id": "refill", "ops": [{"thread": "T0", **op} for op in ops]}
    (tmp_path / "refill.jsonl").write_text(json.dumps(case))
    [path] = import_cases(tmp_path / "refill.jsonl", tmp_path / "traces")
    [row] = run(open_trace(path), [mine]).conflicts.to_pylist()
    assert row["verdict"] == "latent"
    assert row["hidden_by"].startswith(told)


def first_cells(head: str) -> list[str]:
    """Names in the first column of the table that starts so."""
    table = PAGE.split(f"| {head} |")[1].split("\n\n")[0].splitlines()[2:]
    return [name for row in table for name in re.findall(r"`([^`]+)`", row.split("|")[1])]


def test_every_profile_class_place_and_edge_has_a_row() -> None:
    assert sorted(first_cells("profile")) == list(shipped())
    assert first_cells("class") == [str(klass) for klass in Class]
    assert sorted(first_cells("place")) == sorted(place.name.lower() for place in Place)
    assert sorted(first_cells("edge")) == sorted(EDGES)


def test_every_key_of_a_file_is_told(mine: str) -> None:
    head = {"name", "title", "base", "levels", "host_reads", "host_order", "lives"}
    part = {"kind", "memory", "with", "without", "min_bytes", "max_bytes", "reads", "writes"}
    keys = [
        key for at in PAGE.split("| key |")[1:] for key in re.findall(r"^\| (`.*?) \|", at, re.M)
    ]
    told = {name for cell in keys for name in re.findall(r"`(\w+)`", cell)}
    assert told >= head | part | {"edges"}


def test_every_flag_that_vendors_go_by_is_told() -> None:
    named = {
        str(flag.name).lower()
        for name in ("cuda-13", "hip-6.3", "hip-7")
        for statement in load(name).statements
        for flag in statement.with_flags | statement.without_flags
    }
    assert all(f"`{flag}`" in PAGE for flag in named)
