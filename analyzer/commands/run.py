"""`synctrace run`: record, then check."""

from typing import TYPE_CHECKING, Any

import click

from synctrace.analyzer.commands.check import check_traces, ready
from synctrace.analyzer.commands.record import record_command
from synctrace.analyzer.notes import note
from synctrace.analyzer.options import PASS_THROUGH, check_options, examples, record_options
from synctrace.tracer.errors import EXIT_RECORDER

if TYPE_CHECKING:
    from synctrace.analyzer.settings import Settings
    from synctrace.tracer.route import RecordedLevel, Via
    from synctrace.tracer.watch import Watch


_EXAMPLES = examples(
    'synctrace run -- ./llama-cli -m model.gguf -p "hello"',
    "synctrace run -o run.synctrace -f --fail-on warning -- ./llama-cli -m model.gguf",
    "synctrace run --baseline ci/baseline.json -F github -- ./llama-cli -m model.gguf",
)


@click.command(context_settings=PASS_THROUGH, epilog=_EXAMPLES)
@check_options
@record_options
@click.pass_obj
def run(
    settings: "Settings",
    /,
    command: tuple[str, ...],
    output: str | None,
    force: bool,
    quiet: bool,
    skip_sync: tuple[str, ...],
    force_copies: int | None,
    via: "Via",
    level: "RecordedLevel",
    watch: "Watch",
    device_times: bool,
    kernel_code: bool,
    sample: float | None,
    **options: Any,
) -> int:
    """Record COMMAND, then check the trace. A failure of the program comes first."""
    known = ready(output=None, force=force, **options)
    done = record_command(
        command,
        quiet,
        output=output,
        force=force,
        skip_sync=skip_sync,
        force_copies=force_copies,
        via=via,
        level=level,
        watch=watch,
        device_times=device_times,
        kernel_code=kernel_code,
        sample=sample,
    )
    if not done.traces:
        return done.exit_code
    traces = [str(t) for t in done.traces]
    code = check_traces(traces, settings, known, output=None, quiet=quiet, **options)
    if done.exit_code and done.exit_code != EXIT_RECORDER and not quiet:
        note(f"the program failed with exit code {done.exit_code}; the check alone says {code}")
    return done.exit_code or code
