"""`synctrace record`: run a program unchanged and record it."""

from typing import TYPE_CHECKING, Any

import click

from synctrace.analyzer.notes import note
from synctrace.analyzer.options import (
    PASS_THROUGH,
    examples,
    record_options,
    tell_settings,
)
from synctrace.analyzer.report.layout import argument
from synctrace.tracer.errors import EXIT_RECORDER, SynctraceError

if TYPE_CHECKING:
    from synctrace.tracer.launch import RecordResult
    from synctrace.tracer.route import RecordedLevel, Via
    from synctrace.tracer.watch import Watch


_EXAMPLES = examples(
    'synctrace record -- ./llama-cli -m model.gguf -p "hello"',
    "synctrace record -o run.synctrace -f -- ./llama-cli -m model.gguf",
    "synctrace record -o 'runs/%h-%p.synctrace' -- ./serve.sh --port 8080",
)


@click.command(context_settings=PASS_THROUGH, epilog=_EXAMPLES)
@record_options
def record(command: tuple[str, ...], quiet: bool, **options: Any) -> int:
    """Run COMMAND unchanged and record it. Its output and exit code stay its own."""
    if not quiet:
        tell_settings()
    done = record_command(command, quiet, **options)
    if done.traces and not quiet:
        note(f"next: synctrace check {' '.join(argument(str(t)) for t in done.traces)}")
    return done.exit_code


def record_command(
    command: tuple[str, ...],
    quiet: bool,
    *,
    output: str | None,
    force: bool,
    skip_sync: tuple[str, ...],
    force_copies: int | None,
    via: "Via",
    level: "RecordedLevel",
    watch: "Watch",
    device_times: bool,
    kernel_code: bool,
    sample: float | None,
) -> "RecordResult":
    """Record one run and say how it went."""
    if not command:
        name = click.get_current_context().info_name
        raise click.UsageError(f"no command to record: synctrace {name} -- PROGRAM [ARGS]")
    from synctrace.analyzer.progress import Line
    from synctrace.tracer import faults, launch
    from synctrace.tracer.kernel_code import add_code

    wanted = faults.parse(skip_sync, force_copies)
    if wanted.copies and via == "plugin":
        raise SynctraceError("--force-copies does nothing by --via plugin: take preload or auto")
    if device_times and (via == "plugin" or level == "ggml"):
        raise SynctraceError(
            "--device-times is of CUDA's own calls, which --via plugin and --level ggml leave out"
        )
    if wanted:
        note(wanted.announcement())
    with Line(quiet) as line:
        done = launch.record(
            *(command, output),
            overwrite=force,
            quiet=quiet,
            faults=wanted,
            via=via,
            level=level,
            watch=watch,
            device_times=device_times,
            sample_seconds=sample or 0.0,
            progress=line.recording,
        )
        wrong = [add_code(trace, line.reading) for trace in done.traces if kernel_code]
    if done.message and not (quiet and done.exit_code != EXIT_RECORDER):
        note(done.message)
    for sentence in filter(None, wrong):
        note(sentence)
    return done
