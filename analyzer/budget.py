"""A budget: what one iteration may spend, as the settings say it."""

from collections.abc import Mapping
from dataclasses import dataclass

MEASURES = (
    *("syncs_per_iteration", "host_blocked_us"),
    *("h2d_copies", "d2h_copies", "d2d_copies", "launches"),
)
JUDGES = ("median", "worst")
ITERATION = ""  # the name that most iterations have
WHOLE = "trace"  # the whole trace is one iteration


@dataclass(frozen=True)
class Allowance:
    """A place whose host waits do not count, and why."""

    site: str
    reason: str


@dataclass(frozen=True)
class Budget:
    """Limits by measure, in one iteration of that name: of the median or of the worst one."""

    limits: Mapping[str, float]
    judge: str = JUDGES[0]
    iteration: str = ITERATION
    allow: tuple[Allowance, ...] = ()
