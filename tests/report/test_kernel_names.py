"""Kernels' names as their source spells them, beside those of the trace."""

import pytest

from synctrace.analyzer.engine import demangled

TOLD = {
    "_Z3addPKfPf": "add(float const*, float*)",
    "_Z4fillIfEvPT_i": "void fill<float>(float*, int)",
}


@pytest.mark.parametrize("name", TOLD)
def test_a_symbol_of_c_plus_plus(name: str) -> None:
    assert demangled(name) == TOLD[name]


# "f" is how a symbol spells the type float; the last is cut off.
@pytest.mark.parametrize("name", ["", "f", "fill", "_Z", "_ZN3", "add(float*)", "hipMemcpy", "é"])
def test_any_other_name_stays(name: str) -> None:
    assert demangled(name) == name
