"""What a program of cases prints under several seeds of the stand-in's delays."""

import os
import subprocess

SEEDS = range(1, 5)
SLOW = {"STANDIN_DEVICES": "2", "STANDIN_DELAY_US": "2000"}


def printed(program: str, name: str, variant: str) -> list[str]:
    """What the program prints, for each seed; the runs wait side by side."""
    started = [
        subprocess.Popen(
            [program, name, variant],
            env={**os.environ, **SLOW, "STANDIN_SEED": str(seed)},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in SEEDS
    ]
    outputs = [run.communicate(timeout=30)[0] for run in started]
    assert [run.returncode for run in started] == [0] * len(started)
    return outputs
