"""`synctrace record`: run a program unchanged and record it."""

import shlex
from typing import TYPE_CHECKING, Any

import click

from synctrace.analyzer.notes import note
from synctrace.analyzer.options import PASS_THROUGH, record_options, tell_settings
from synctrace.tracer.errors import EXIT_RECORDER, SynctraceError

if TYPE_CHECKING:
    from synctrace.tracer.launch import RecordResult
    from synctrace.tracer.route import Via


@click.command(context_settings=PASS_THROUGH)
@record_options
def record(command: tuple[str, ...], quiet: bool, **options: Any) -> int:
    """Run COMMAND unchanged and record it. Its output and exit code stay its own."""
    if not quiet:
        tell_settings()
    done = record_command(command, quiet, **options)
    if done.traces and not quiet:
        note(f"next: synctrace check {shlex.join(map(str, done.traces))}")
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
) -> "RecordResult":
    """Record one run and say how it went."""
    if not command:
        name = click.get_current_context().info_name
        raise click.UsageError(f"no command to record: synctrace {name} -- PROGRAM [ARGS]")
    from synctrace.tracer import faults, launch

    wanted = faults.parse(skip_sync, force_copies)
    if wanted.copies and via == "plugin":
        raise SynctraceError("--force-copies does nothing by --via plugin: take preload or auto")
    if wanted:
        note(wanted.announcement())
    done = launch.record(command, output, overwrite=force, quiet=quiet, faults=wanted, via=via)
    if done.message and not (quiet and done.exit_code != EXIT_RECORDER):
        note(done.message)
    return done
