"""What is ordered on one vendor and races on the other is latent; PR #20793's patterns, too."""

from pathlib import Path

import pytest
from rows import pairs, surest

from synctrace.analyzer.order import Order, run
from synctrace.tracer.reader import Trace, open_trace

BOTH = ("cuda-13", "hip-6.3")


def hidden_by(order: Order) -> set[str | None]:
    return set(order.conflicts["hidden_by"].to_pylist())


@pytest.mark.parametrize(
    ("case", "alone", "orders"),
    [
        ("graph-two-streams", ("clean", "certain"), "profile cuda-13"),
        ("async-h2d-pageable-prior-1536k", ("certain", "latent (impl)"), "profile hip-6.3"),
        ("peer-barrier-before", ("clean", "certain"), "profile cuda-13"),
    ],
)
def test_ordered_on_one_vendor_only(
    case: str, alone: tuple[str, str], orders: str, traces: dict[str, Trace]
) -> None:
    told = tuple(surest(run(traces[case], [profile])) for profile in BOTH)
    assert told == alone
    both = run(traces[case], BOTH)
    assert set(both.conflicts["verdict"].to_pylist()) == {"latent"}
    assert orders in hidden_by(both)


@pytest.mark.parametrize("case", ["sched-inputs-no-wait", "sched-slot-own-event", "stream-two"])
def test_a_race_under_both_stays_certain(case: str, traces: dict[str, Trace]) -> None:
    both = run(traces[case], BOTH)
    assert surest(both) == "certain"
    assert pairs(run(traces[case], BOTH[:1])) <= pairs(both)


@pytest.mark.parametrize(
    "case", ["sched-inputs-two-waits", "sched-inputs-event", "sched-slot-source-waits"]
)
def test_an_order_on_both_is_silent(case: str, traces: dict[str, Trace]) -> None:
    assert surest(run(traces[case], BOTH)) == "clean"


@pytest.mark.parametrize(
    ("case", "profiles"),
    [
        ("graph-two-streams", ["hip-6.3", "hip-7"]),
        ("async-h2d-pageable-target-4m", ["cuda-doc", "cuda-13"]),
        ("call-returned-h2d-pageable", ["cuda-doc", "hip-6.3"]),
    ],
)
def test_no_port(case: str, profiles: list[str], traces: dict[str, Trace]) -> None:
    """Versions of one vendor's, and what may happen, make no race latent."""
    assert surest(run(traces[case], profiles)) == "certain"


def test_a_contract_does_not_soften_an_implementation() -> None:
    two = open_trace(Path(__file__).parents[1] / "data/h200/h200-llama-0.3.36-x2-rotate.synctrace")
    assert surest(run(two, ["ggml-cuda"])) == "certain"
    assert surest(run(two, ["ggml-contract", "ggml-cuda"])) == "certain"
