"""Pairs that race under one of the profiles asked for and are ordered under another.

Such an order is a property of one vendor: it breaks where the program is brought to the other one.
The verdict is latent, whichever profile finds the race. Profiles that share a base speak of one
vendor, and what may happen orders nothing: neither makes a race latent.
"""

from collections.abc import Sequence
from typing import Any

from synctrace.analyzer.profile import Profile, load

Row = dict[str, Any]  # of outcome.CONFLICTS
Pair = tuple[int, int, int, str]


def mark(rows: Sequence[Row], models: Sequence[Profile]) -> None:
    """Turn certain rows into latent ones where another profile of the same levels orders the pair.

    `hidden_by` of such a row begins with `profile `: the profiles that order it.
    """
    found: dict[Pair, dict[str, Row]] = {}
    for row in rows:
        found.setdefault(_pair(row), {})[row["profile"]] = row
    ported: list[tuple[Row, str]] = []
    for by_profile in found.values():
        for row in by_profile.values():
            own = next(model for model in models if model.name == row["profile"])
            others = [m.name for m in models if _foreign(own, m) and _orders(by_profile, m)]
            if others and row["verdict"] == "certain":
                ported.append((row, ", ".join(others)))
    for row, names in ported:
        row["verdict"] = "latent"
        row["hidden_by"] = f"profile {names}"


def _foreign(one: Profile, other: Profile) -> bool:
    """Whether they speak of the same calls and take nothing over from each other or one base."""
    return one.levels == other.levels and _root(one) != _root(other)


def _root(model: Profile) -> str:
    while model.base:
        model = load(model.base)
    return model.name


def _orders(by_profile: dict[str, Row], model: Profile) -> bool:
    """Whether the pair is ordered under this profile, by promise or by habit."""
    row = by_profile.get(model.name)
    return row is None or (row["verdict"] == "latent" and "(impl)" in (row["hidden_by"] or ""))


def _pair(row: Row) -> Pair:
    return row["first_site"], row["second_site"], row["storage"], row["hazard"]
