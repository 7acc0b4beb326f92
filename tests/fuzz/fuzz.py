"""Coverage-guided fuzzing of reader, importer, order, rules and reports (Atheris, libFuzzer).

python tests/fuzz/fuzz.py -max_total_time=600 FOLDER tests/data/fuzz/corpus

FOLDER takes inputs that reach new code. SYNCTRACE_FUZZ_ENGINE: folder of another build of the
order engine (one with sanitizers, under LD_PRELOAD of their library).
"""

import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType

import atheris
import judged

from synctrace.analyzer import engine
from synctrace.analyzer.output import FORMATS

LIMITS = ("-timeout=30", "-rss_limit_mb=2000", "-len_control=0", "-max_len=160")


def functions(module: ModuleType) -> Iterator[FunctionType]:
    """Functions and methods of a module that are written in it."""
    holders = [vars(module)]
    holders += [vars(one) for one in vars(module).values() if isinstance(one, type)]
    for value in (value for holder in holders for value in holder.values()):
        bare = getattr(value, "__func__", getattr(value, "fget", getattr(value, "func", value)))
        bare = getattr(bare, "__wrapped__", bare)
        if isinstance(bare, FunctionType) and bare.__module__ == module.__name__:
            yield bare


def instrument() -> int:
    """Count the branches of the product, which an editable install hides from Atheris' own hook."""
    for name in FORMATS:
        import_module(f"synctrace.analyzer.report.{name}")
    judged.judge(b"")  # loads what is loaded when it is needed
    found = {
        function.__code__: function
        for name, module in list(sys.modules.items())
        if name.startswith("synctrace.")
        for function in functions(module)
    }
    for function in found.values():
        atheris.instrument_func(function)
    return len(found)


def main() -> None:
    """Run until libFuzzer's options say stop or an input breaks the property."""
    if other := os.environ.get("SYNCTRACE_FUZZ_ENGINE"):
        engine.files = lambda _: Path(other)  # type: ignore[assignment]
    print(f"{instrument()} functions are watched", file=sys.stderr)
    atheris.Setup([sys.argv[0], *LIMITS, *sys.argv[1:]], judged.judge)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
