"""What `explain` tells of a memory model: all that check holds it to, stated or not."""

import pytest

from synctrace.analyzer.explain import explain
from synctrace.analyzer.profile import load, shipped


def test_what_a_profile_does_not_state_is_told_too() -> None:
    lines = explain("ggml-contract").splitlines()
    assert lines[:5] == [
        "ggml-contract: The promises of ggml-backend.h",
        "levels: app, ggml",
        "host reads: at-sync",
        "host order: observed",
        "lives: distinct",
    ]


def test_a_statement_with_all_that_it_hangs_on() -> None:
    text = explain("catalogue")
    staged = "memcpy_async_h2d\n  memory pageable\n  without unstaged\n  reads at host\n"
    assert staged + "  writes at stream\n  launch (must): issue before execution\n" in text
    assert "free\n  with implicit_sync\n  reads at host\n  writes at host\n" in text


@pytest.mark.parametrize("name", shipped())
def test_every_statement_is_told(name: str) -> None:
    text = explain(name)
    profile = load(name)
    assert text.rstrip().count("\n\n") == len(profile.statements)
    for statement in profile.statements:
        assert all(f"{edge.edge} ({edge.klass})" in text for edge in statement.edges)
    assert max(map(len, text.splitlines())) <= 100
