"""The rows of the ordering reference: scenario cases of tests/data/order.jsonl and their verdicts.

`row` names the row of docs/order.toml that a case belongs to, `says` what it shows, `expected` the
verdict by profile; `*` stands for every vendor profile that is not named, `PROFILE@strict` for the
strict order of host threads. `pair` is the conflict that a verdict other than clean must name.
The cases of the other profiles (OTHERS) are told in the same way; their rows are on no page.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from synctrace.analyzer.order import VERDICTS, Order, run
from synctrace.tracer.reader import Trace

DATA = Path(__file__).parents[1] / "data"
CASES = DATA / "order.jsonl"
CATALOGUE_CASES = DATA / "catalogue_order.jsonl"
GGML_CASES = DATA / "ggml_order.jsonl"
LAYER_CASES = DATA / "layer_order.jsonl"
OTHERS = (CATALOGUE_CASES, GGML_CASES, LAYER_CASES)
PROFILES = ("cuda-doc", "cuda-13", "hip-doc", "hip-6.3", "hip-7")
CLEAN = "clean"
STRICT = "@strict"


@dataclass(frozen=True)
class Row:
    """One case and what each profile says of it."""

    id: str
    row: str
    says: str
    expected: Mapping[str, str]  # by profile, or profile and @strict
    pair: tuple[int, int] | None  # ops of the conflict, where one is expected


@cache
def rows(*files: Path) -> tuple[Row, ...]:
    """All cases in the order of the files; of the reference if none is named."""
    lines = (line for file in files or (CASES,) for line in file.read_text("utf-8").splitlines())
    return tuple(_row(json.loads(line)) for line in lines)


def _row(case: dict[str, object]) -> Row:
    told = case["expected"]
    pair = case.get("pair")
    assert isinstance(told, dict)
    assert pair is None or isinstance(pair, list)
    return Row(
        id=str(case["id"]),
        row=str(case["row"]),
        says=str(case["says"]),
        expected=dict(_expected(told)),
        pair=(pair[0], pair[1]) if pair else None,
    )


def _expected(told: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, verdict in told.items():
        profile, _, order = name.partition("@")
        suffix = f"@{order}" if order else ""
        if profile != "*":
            yield name, verdict
            continue
        for each in PROFILES:
            if each + suffix not in told:
                yield each + suffix, verdict


def asked(name: str) -> tuple[str, str]:
    """Profile and host order that a name of `expected` asks for."""
    return name.removesuffix(STRICT), "strict" if name.endswith(STRICT) else "observed"


def judged(row: Row, trace: Trace) -> dict[str, Order]:
    """What the order stage says of a trace, by each name that its row expects a verdict of."""
    return {name: run(trace, [asked(name)[0]], asked(name)[1]) for name in row.expected}


def surest(order: Order) -> str:
    """The verdict that weighs most, or clean; of a latent one the class of what hides it, too."""
    found = {}
    for row in order.conflicts.to_pylist():
        found.setdefault(row["verdict"], row["hidden_by"] or "")
    verdict = next((verdict for verdict in VERDICTS.values() if verdict in found), CLEAN)
    if verdict != "latent":
        return verdict
    classes = [klass for klass in ("impl", "may") if f"({klass})" in found[verdict]]
    return f"latent ({', '.join(classes)})" if classes else verdict


def pairs(order: Order) -> set[tuple[int, int]]:
    """Every pair of ops that the order calls a conflict."""
    both: Sequence[tuple[int, int]] = list(
        zip(
            order.conflicts["first_op"].to_pylist(),
            order.conflicts["second_op"].to_pylist(),
            strict=True,
        )
    )
    return set(both)
