"""Every verdict of the case catalogue, end to end through the commands."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

CASES = Path(__file__).parents[1] / "data/cases.jsonl"
ALL = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


def synctrace(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "synctrace", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What check tells of each case, by its id."""
    out = tmp_path_factory.mktemp("catalogue") / "traces"
    done = synctrace("import", str(CASES), "-o", str(out))
    assert done.returncode == 0, done.stderr
    done = synctrace("check", str(out), "-F", "json")
    assert done.returncode == 1, done.stderr
    traces = json.loads(done.stdout)["traces"]
    return {Path(t["trace"]).name: t for t in traces}


def of(case: dict[str, Any], found: dict[str, Any], *families: str) -> list[dict[str, Any]]:
    return [f for f in found[case["id"]]["findings"] if f["family"] in families]


def ids(case: dict[str, Any]) -> str:
    return str(case["id"])


def expecting(verdict: str, *kinds: str) -> list[dict[str, Any]]:
    return [c for c in ALL if c["expected"] == verdict and (not kinds or c.get("kind") in kinds)]


def suspects(case: dict[str, Any]) -> set[int]:
    return {i for i, op in enumerate(case["ops"]) if op.get("attrs", {}).get("suspect")}


def test_the_catalogue_is_whole() -> None:
    assert [len(expecting(v)) for v in ("race", "clean", "redundant-sync")] == [45, 12, 9]


@pytest.mark.parametrize("case", expecting("race"), ids=ids)
def test_race(case: dict[str, Any], found: dict[str, Any]) -> None:
    """Every pair found is one of the case's, at least one is, and the worst is certain."""
    races = of(case, found, "race", "life")
    told = [(*sorted(f["ops"][:2]),) for f in races]
    pairs = {tuple(sorted(set(pair[:2]))) for pair in case["pairs"]}
    assert told
    assert set(told) <= pairs
    assert races[0]["verdict"] == "certain"
    assert races[0]["severity"] == "error"
    assert found[case["id"]]["summary"]["exit"] == 1


@pytest.mark.parametrize("case", expecting("race"), ids=ids)
def test_every_pair_of_a_race_is_found(case: dict[str, Any], found: dict[str, Any]) -> None:
    """More than the catalogue asks for: all pairs, with their bytes."""
    told = {
        (tuple(f["ops"][:2]), f["buffer"], f["lo"], f["hi"])
        for f in of(case, found, "race", "life")
    }
    for first, second, buffer, lo, hi in case["pairs"]:
        if first == second:
            assert ((first,), buffer) in {(ops, name) for ops, name, _, _ in told}
        else:
            assert ((first, second), buffer, lo, hi) in told


@pytest.mark.parametrize("case", expecting("clean"), ids=ids)
def test_clean(case: dict[str, Any], found: dict[str, Any]) -> None:
    assert of(case, found, "race", "life", "sync") == []
    assert found[case["id"]]["summary"]["exit"] == 0


@pytest.mark.parametrize("case", expecting("redundant-sync", "provable"), ids=ids)
def test_provable(case: dict[str, Any], found: dict[str, Any]) -> None:
    """Every suspect is named, nothing else is, and there is no race."""
    assert of(case, found, "race", "life") == []
    syncs = of(case, found, "sync")
    assert {op for f in syncs for op in f["ops"]} == suspects(case)
    assert {f["verdict"] for f in syncs} == {"provable"}
    assert {f["why"] for f in syncs} <= {"implied", "unneeded"}


@pytest.mark.parametrize("case", expecting("redundant-sync", "over-broad"), ids=ids)
def test_over_broad(case: dict[str, Any], found: dict[str, Any]) -> None:
    """The suspect alone is named, with the event that suffices; what it names is where it says."""
    assert of(case, found, "race", "life") == []
    [sync] = of(case, found, "sync")
    assert set(sync["ops"]) == suspects(case)
    assert (sync["rule"], sync["verdict"], sync["severity"]) == ("SYNC02", "over-broad", "warning")
    [narrow_to] = [case["ops"][op]["attrs"]["narrow_to"] for op in suspects(case)]
    assert (sync["why"], sync["proposal"]["event"]) == ("event", narrow_to)
    assert f"event {narrow_to} is enough" in sync["message"]
    record = case["ops"][sync["proposal"]["record"]]
    assert (record["op"], record["event"]) == ("event_record", narrow_to)


@pytest.mark.parametrize("case", expecting("redundant-sync", "avoidable"), ids=ids)
def test_avoidable(case: dict[str, Any], found: dict[str, Any]) -> None:
    """The suspect alone is named, with its cost and the bytes that are read; as a note."""
    assert of(case, found, "race", "life") == []
    [sync] = of(case, found, "sync")
    assert set(sync["ops"]) == suspects(case)
    assert (sync["rule"], sync["verdict"], sync["severity"]) == ("SYNC03", "avoidable", "note")
    read, write = (case["ops"][sync["proposal"][side]] for side in ("read", "write"))
    assert read["reads"] == write["writes"]
    assert sync["proposal"]["bytes"] == read["reads"][0][2]
    assert sync["cost_ns"] > 0
    assert found[case["id"]]["summary"]["exit"] == 0


@pytest.mark.parametrize("case", ALL, ids=ids)
def test_only_suspects_are_called_anything(case: dict[str, Any], found: dict[str, Any]) -> None:
    """In races, too, and in clean cases."""
    named = {op for f in of(case, found, "sync") for op in f["ops"] if f["rule"] != "SYNC01"}
    assert named == (suspects(case) if case.get("kind") in ("over-broad", "avoidable") else set())


@pytest.mark.parametrize("case", ALL, ids=ids)
def test_ids_tell_findings_apart(case: dict[str, Any], found: dict[str, Any]) -> None:
    told = [(f["id"], f["verdict"], f["why"]) for f in found[case["id"]]["findings"]]
    assert len(told) == len(set(told))
    assert all(len(id_) == 8 and int(id_, 16) >= 0 for id_, _, _ in told)
