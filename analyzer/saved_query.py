"""The saved queries of saved/*.sql: what each asks and what its columns mean."""

from functools import cache
from importlib.resources import files

from synctrace.analyzer.connect import documented_columns


@cache
def saved() -> dict[str, str]:
    """SQL of the saved queries by name."""
    folder = files("synctrace.analyzer") / "saved"
    found = sorted(folder.iterdir(), key=lambda f: f.name)
    return {
        f.name.removesuffix(".sql"): f.read_text(encoding="utf-8")
        for f in found
        if f.name.endswith(".sql")
    }


def saved_text(name: str) -> str:
    """What a saved query asks: the comment at its head, in one paragraph."""
    return " ".join(line.removeprefix("--").strip() for line in _parts(name)[0])


def saved_doc(name: str) -> str:
    """First sentence of that."""
    return saved_text(name).split(":", 1)[0].split(". ")[0].rstrip(".")


def saved_columns(name: str) -> dict[str, str]:
    """What each column of its answer means."""
    return documented_columns(saved()[name])


def saved_sql(name: str) -> str:
    """The statement alone."""
    return "\n".join(_parts(name)[1])


def _parts(name: str) -> tuple[list[str], list[str]]:
    """Comment and statement, line by line."""
    lines = saved()[name].splitlines()
    first = next(i for i, line in enumerate(lines) if not line.startswith("--"))
    return lines[:first], lines[first:]
