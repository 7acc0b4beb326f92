"""Where CI should point to: the line of a place that is in the checked-out sources."""

from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from posixpath import normpath

from synctrace.analyzer.finding import Finding, Frame, Place


@dataclass(frozen=True)
class Spot:
    """A file, relative to the sources where it lies among them; line 0: unknown."""

    path: str
    line: int

    @property
    def own(self) -> bool:
        """Whether the file is one of the sources."""
        return bool(self.line) and not self.path.startswith(("/", "../"))


def root_of(given: str | None) -> str:
    """The folder of the sources, absolute; default: the current one."""
    return str(Path(given or ".").resolve())


def spot(place: Place, root: str) -> Spot | None:
    """The innermost frame within the sources, else the innermost that has a file."""
    spots = [at for at in (frame_spot(frame, root) for frame in place.frames) if at]
    return next((at for at in spots if at.own), spots[0] if spots else None)


def frame_spot(frame: Frame, root: str) -> Spot | None:
    """The file of one frame. A file without a line is a library that has no debug information."""
    if not frame.file:
        return None
    path = PurePosixPath(normpath(frame.file))
    if path.is_relative_to(root):
        path = path.relative_to(root)
    return Spot(str(path), max(frame.line, 0))


def main_spot(finding: Finding, root: str) -> Spot | None:
    """Where a finding is shown: the later access, or the sync."""
    return next((at for at in (spot(p, root) for p in reversed(finding.places)) if at), None)
