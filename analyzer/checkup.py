"""What `synctrace doctor` looks at: this machine, the recorder, the analyzer, what can be recorded.

Each is looked at by itself, and what goes wrong in one is told in its place.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

State = Literal["ok", "gap", "later", "broken"]


@dataclass(frozen=True)
class Check:
    """One thing looked at. gap: less can be recorded than could be; broken: nothing works.

    later: no fault of this machine, synctrace itself cannot do it yet. `remedy`: what to do, in
    one line; empty where there is nothing to do.
    """

    part: str
    name: str
    state: State
    text: str
    remedy: str = ""


@dataclass(frozen=True)
class Checkup:
    """All that was looked at, and the facts of the GPUs as meta.json has them."""

    checks: tuple[Check, ...]
    facts: dict[str, Any]

    @property
    def works(self) -> bool:
        """Whether programs can be recorded and traces be judged here at all."""
        return all(check.state != "broken" for check in self.checks)


def examine() -> Checkup:
    """Look at everything. Takes a second or two; never raises for what it finds."""
    from synctrace.tracer.machine.devices import facts

    known = facts()
    recorder = list(_guarded("recorder", _recorder))
    works = all(check.state != "broken" for check in recorder)
    checks = [
        *_guarded("machine", lambda: _machine(known)),
        *recorder,
        *_guarded("analyzer", _analyzer),
        *_guarded("record", lambda: _recordable(known, works)),
    ]
    return Checkup(tuple(checks), known)


def _machine(facts: dict[str, Any]) -> Iterator[Check]:
    from synctrace.analyzer import checkup_machine

    yield from checkup_machine.checks()
    yield from checkup_machine.gpus(facts)


def _recorder() -> Iterator[Check]:
    from synctrace.analyzer import checkup_recorder

    yield from checkup_recorder.checks()


def _analyzer() -> Iterator[Check]:
    from synctrace.analyzer import checkup_analyzer

    yield from checkup_analyzer.checks()


def _recordable(facts: dict[str, Any], recorder_works: bool) -> Iterator[Check]:
    from synctrace.analyzer import checkup_recordable

    yield from checkup_recordable.checks(facts, recorder_works)


def _guarded(part: str, look: Callable[[], Iterator[Check]]) -> Iterator[Check]:
    """What was found until something unforeseen went wrong, and that."""
    try:
        yield from look()
    except Exception as error:
        what = " ".join(str(error).split()) or "no message"
        state: State = "broken" if part in ("recorder", "analyzer") else "gap"
        told = f"cannot be looked at ({type(error).__name__}: {what})"
        is_package = isinstance(error, ImportError)
        remedy = "install synctrace again" if is_package else "please report this"
        yield Check(part, part, state, told, remedy)
