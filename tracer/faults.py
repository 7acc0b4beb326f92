"""Faults put into a recorded program on request: syncs left out, pipeline copies forced.

What they do happens in the recorder (native/fault.c); here is how they are asked for and told.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from synctrace.tracer.errors import EXIT_RECORDER, SynctraceError

MOST_COPIES = 64
MOST_SKIPS = 64  # native/fault.h: FAULT_SKIPS
_SITE = re.compile(r"[0-9a-f]{8}(\.[0-9]{1,9})?")


NO_SCHEDULER = (
    "no scheduler was made by a name that the recorder interposes (they cannot be forced"
    " through the plug-in interface)"
)


@dataclass(frozen=True)
class Faults:
    """Sites of the syncs to leave out, and pipeline copies to force (0: as the program asks)."""

    skips: tuple[str, ...] = ()
    copies: int = 0

    def __bool__(self) -> bool:
        return bool(self.skips or self.copies)

    def environment(self) -> dict[str, str]:
        """The request, as the recorder reads it."""
        wanted = {"SYNCTRACE_SKIP_SYNC": ",".join(self.skips)} if self.skips else {}
        if self.copies:
            wanted["SYNCTRACE_FORCE_COPIES"] = str(self.copies)
        return wanted

    def announcement(self) -> str:
        """What is about to be done to the program, loudly."""
        return f"FAULT INJECTION: {told(self.skips, self.copies)}; its results may be wrong"

    def unmet(self, sites: int, copies: int) -> str:
        """What of it did not happen: bit i of `sites` for the i-th site met. Empty: all did."""
        missed = [site for i, site in enumerate(self.skips) if not sites >> i & 1]
        parts = []
        if missed:
            parts.append(f"no sync was made at {', '.join(missed)}, so none was left out there")
        if self.copies and copies != self.copies:
            made = f"the scheduler made {copies}" if copies else NO_SCHEDULER
            parts.append(f"{self.copies} pipeline {_copies(self.copies)} asked for, but {made}")
        return "; ".join(parts)


NO_FAULTS = Faults()
VARIABLES = ("SYNCTRACE_SKIP_SYNC", "SYNCTRACE_FORCE_COPIES")


def parse(skips: Sequence[str], copies: int | None) -> Faults:
    """The faults asked for: sites separated by commas, SITE being KEY or KEY.ORDINAL.

    Raises SynctraceError for a site of another form and for a senseless number of copies.
    """
    named = [part.strip() for given in skips for part in given.split(",")]
    sites = tuple(dict.fromkeys(named))
    for site in sites:
        if not _SITE.fullmatch(site):
            raise SynctraceError(
                f"--skip-sync {site or '(empty)'}: a site is 8 hex digits, perhaps with .N for the"
                " call number N from there, as check prints it (`synctrace query TRACE --saved"
                " syncs`)",
                EXIT_RECORDER,
            )
    if len(sites) > MOST_SKIPS:
        raise SynctraceError(f"--skip-sync takes at most {MOST_SKIPS} sites", EXIT_RECORDER)
    if copies is not None and not 1 <= copies <= MOST_COPIES:
        raise SynctraceError(
            f"--force-copies needs a number from 1 to {MOST_COPIES}; a ggml makes 1 or as many as"
            " it was built for, 4 unless somebody changed that",
            EXIT_RECORDER,
        )
    return Faults(sites, copies or 0)


def told(skips: Sequence[str], copies: int) -> str:
    """The faults of a recording in words: for the program's user and every report."""
    parts = []
    if skips:
        plural = "s" if len(skips) > 1 else ""
        parts.append(f"the syncs at site{plural} {', '.join(skips)} are left out")
    if copies:
        parts.append(f"the scheduler is made with {copies} pipeline {_copies(copies)}")
    return " and ".join(parts)


def _copies(number: int) -> str:
    return "copy" if number == 1 else "copies"
