"""What decides whether a check fails, and what the gates of all its traces together found."""

from dataclasses import dataclass

from synctrace.analyzer.suppression import Suppression


@dataclass(frozen=True)
class Known:
    """A finding of an earlier report."""

    id: str
    rule: str
    family: str
    severity: str
    verdict: str
    profile: str
    message: str


@dataclass(frozen=True)
class Compared:
    """An earlier report, and its findings that are gone."""

    report: str
    gone: tuple[Known, ...] = ()


@dataclass(frozen=True)
class Hits:
    """What one suppression met in all traces; one that has expired suppresses none of it."""

    suppression: Suppression
    findings: int
    instances: int
    expired: bool = False
    asked: bool = True  # False: its rules did not run, so it could meet nothing


@dataclass(frozen=True)
class Gate:
    """One a report. `min_coverage` in percent; `config`: file of the settings, empty: none.

    `unjudged`: limits of a budget that no rule judged, since it was not among those asked for;
    `unused_allowances`: globs of places that no host wait was made at.
    """

    fail_on: str = "error"
    max_findings: int = 0
    min_coverage: float | None = None
    baseline: Compared | None = None
    suppressions: tuple[Hits, ...] = ()
    unjudged: tuple[str, ...] = ()
    unused_allowances: tuple[str, ...] = ()
    config: str = ""
