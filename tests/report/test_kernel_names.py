"""Kernels' names as their source spells them, beside those of the trace."""

import pytest

from synctrace.analyzer.called import called
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


ELEMENTWISE = (
    "_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_11FillFunctorIfEE"
    "St5arrayIPcLm1EEEEviT0_T1_"
)
SHOWN = {
    "_Z3addPKfPf": "add",
    "_Z4fillIfEvPT_i": "fill<float>",
    ELEMENTWISE: "at::native::vectorized_elementwise_kernel<…>",
    "_ZN12_GLOBAL__N_14stepEPf": "(anonymous namespace)::step",
    "hipMemcpy": "hipMemcpy",
    "scale": "scale",
}


@pytest.mark.parametrize("name", SHOWN)
def test_what_reports_call_it(name: str) -> None:
    assert called(name) == SHOWN[name]
