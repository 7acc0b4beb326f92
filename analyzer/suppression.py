"""Suppressions: findings that the settings take out, each for a reason, and what each met."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from synctrace.analyzer.finding import Checked, Finding, Place


@dataclass(frozen=True)
class Suppression:
    """Which findings, and why: one by its id, or those of rules at these places or buffers.

    Empty: not asked for. `until`: the last day on which it counts.
    """

    reason: str
    id: str = ""
    rule: str = ""
    site: str = ""
    buffer: str = ""
    until: date | None = None

    @property
    def words(self) -> str:
        """Which findings, in words."""
        if self.id:
            return f"id {self.id}"
        at = f" at {self.site}" if self.site else ""
        of = f" on {self.buffer}" if self.buffer else ""
        return f"{self.rule}{at}{of}"


@dataclass(frozen=True)
class Hits:
    """What one suppression met in all traces; one that has expired suppresses none of it."""

    suppression: Suppression
    findings: int
    instances: int
    expired: bool = False
    asked: bool = True  # False: its rules did not run, so it could meet nothing


def suppress(
    results: "Sequence[Checked]", suppressions: Sequence[Suppression], today: date
) -> "tuple[list[Checked], tuple[Hits, ...]]":
    """The results without what is suppressed, and what each suppression met.

    A finding that several mean is a hit of each; the first one's reason is told.
    """
    now = [s for s in suppressions if not has_expired(s, today)]
    left = [_without(checked, now) for checked in results]
    return left, tuple(_hits(s, results, today) for s in suppressions)


def has_expired(suppression: Suppression, today: date) -> bool:
    """Whether its last day is over."""
    return suppression.until is not None and suppression.until < today


def _without(checked: "Checked", suppressions: Sequence[Suppression]) -> "Checked":
    from synctrace.analyzer.finding import Suppressed  # settings are read before any finding is

    kept: list[Finding] = []
    gone: list[Suppressed] = []
    for finding in checked.findings:
        by = next((s for s in suppressions if means(s, finding)), None)
        if by is None:
            kept.append(finding)
        else:
            gone.append(Suppressed(finding, by.reason))
    return replace(checked, findings=tuple(kept), suppressed=tuple(gone))


def _hits(suppression: Suppression, results: "Sequence[Checked]", today: date) -> Hits:
    met = [f for checked in results for f in checked.findings if means(suppression, f)]
    ran = {rule for checked in results for rule in checked.rules}
    return Hits(
        suppression,
        findings=len({f.id for f in met}),
        instances=sum(f.count for f in met),
        expired=has_expired(suppression, today),
        asked=bool(suppression.id) or any(rule.startswith(suppression.rule) for rule in ran),
    )


def means(suppression: Suppression, finding: "Finding") -> bool:
    """Whether it is about this finding. What a trace tells of itself is nobody's to suppress."""
    if finding.family == "trace":
        return False
    if suppression.id:
        return finding.id == suppression.id
    return (
        finding.rule.startswith(suppression.rule)
        and (not suppression.site or any(is_at(p, suppression.site) for p in finding.places))
        and (not suppression.buffer or _is_on(finding, suppression.buffer))
    )


def is_at(place: "Place", glob: str) -> bool:
    """Whether the glob means a frame's function or file, or the place's label or key."""
    if any(fnmatchcase(name, glob) for name in (place.label, place.key, _stack_of(place.key))):
        return True
    return any(_is_function(f.function, glob) or _is_file(f.file, glob) for f in place.frames)


def _stack_of(key: str) -> str:
    """The key without the ordinal of the call."""
    return key.partition(".")[0]


def _is_function(function: str, glob: str) -> bool:
    """With its parameters or without them."""
    return fnmatchcase(function, glob) or fnmatchcase(function.split("(", 1)[0], glob)


def _is_file(file: str, glob: str) -> bool:
    """The path or the end of it: where a checkout lies is no part of the program."""
    return bool(file) and (fnmatchcase(file, glob) or fnmatchcase(file, f"*/{glob}"))


def _is_on(finding: "Finding", glob: str) -> bool:
    memory = finding.memory
    names = {touch.buffer for touch in finding.touches}
    names |= {memory.name, memory.storage_name} if memory else set()
    return any(fnmatchcase(name, glob) for name in names - {""})
