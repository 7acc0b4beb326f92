"""The command line: its group, its entry point and how each failure is told."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from synctrace.analyzer.commands.check import check
from synctrace.analyzer.commands.doctor import doctor
from synctrace.analyzer.commands.explain import explain
from synctrace.analyzer.commands.import_ import import_
from synctrace.analyzer.commands.query import query
from synctrace.analyzer.commands.record import record
from synctrace.analyzer.commands.run import run
from synctrace.analyzer.defaults import load
from synctrace.analyzer.notes import leave_stdout, note
from synctrace.analyzer.settings import NO_SETTINGS
from synctrace.tracer.errors import EXIT_ERROR, SynctraceError


def _version(context: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not context.resilient_parsing:
        from importlib.metadata import version

        click.echo(f"synctrace {version('synctrace')}")
        context.exit()


class _Commands(click.Group):
    """Commands whose reader may leave, as head does; click alone would exit with 1, "findings"."""

    def invoke(self, context: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(context)
        except BrokenPipeError:
            leave_stdout()
            return 0


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="check exits with 0: nothing fails, 1: findings, 2: error, 3: not all was seen",
)
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=_version,
              help="Show the version and exit.")  # fmt: skip
@click.option("--config", type=click.Path(), metavar="FILE",
              help="Settings: pyproject.toml with [tool.synctrace], or a file like synctrace.toml;"
              " default: the nearest of these, from here up to the repository.")  # fmt: skip
@click.option("--no-config", is_flag=True, help="No settings but those given here.")
@click.option("--debug", is_flag=True, hidden=True, help="Show tracebacks.")
@click.pass_context
def cli(context: click.Context, config: str | None, no_config: bool, debug: bool) -> None:
    """Race detector and synchronization profiler for GPU host code.

    Start with: synctrace record -- PROGRAM, then: synctrace check TRACE.
    """
    context.obj = NO_SETTINGS
    if context.invoked_subcommand in CONFIGURED or config is not None:
        context.obj, context.default_map = load(config, no_config, CONFIGURED)


# Commands whose options the settings can hold.
CONFIGURED: dict[str, click.Command] = {
    "check": check,
    "record": record,
    "run": run,
    "query": query,
}
for _command in (record, run, check, query, explain, import_, doctor):
    cli.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Entry point: every failure is one sentence on stderr and an exit code."""
    _open_streams()
    debug = "--debug" in (sys.argv[1:2] if arguments is None else arguments[:1])
    try:
        code = cli.main(arguments, prog_name="synctrace", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as help_:
        click.echo(help_.format_message())
        code = EXIT_ERROR
    except click.ClickException as error:
        error.show()
        code = EXIT_ERROR
    except SynctraceError as error:
        if debug:
            raise
        note(str(error))
        code = error.exit_code
    except (click.Abort, KeyboardInterrupt):
        note("interrupted")
        code = 130
    except OSError as error:
        if debug:
            raise
        note(f"cannot write the answer ({error.strerror or error})")
        code = EXIT_ERROR
    except Exception as error:
        if debug:
            raise
        what = " ".join(str(error).split()) or "no message"
        note(f"internal error, {type(error).__name__}: {what}; `synctrace --debug …` shows more")
        code = EXIT_ERROR
    sys.exit(code)


def _open_streams() -> None:
    """Where a stream is closed (`>&-`) what is written goes nowhere, and there is no input."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115
