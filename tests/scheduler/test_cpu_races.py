"""A race on the CPU device spoils real bytes; the order that it lacked never lets it.

What the bytes prove: that the device is as asynchronous as it says. That `check` finds the same
races is shown in test_cpu_recorded.py.
"""

import pytest
from cpu_programs import PROGRAMS, Program


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_a_race_spoils_bytes(program: Program) -> None:
    assert not all(program(seed, False) for seed in range(20))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_the_right_order_never_does(program: Program) -> None:
    assert all(program(seed, True) for seed in range(60))
