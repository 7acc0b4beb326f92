"""Options that several commands share."""

import math
from collections.abc import Callable
from typing import Any

import click

from synctrace.analyzer.completion import anything, profiles, rules
from synctrace.analyzer.notes import note
from synctrace.analyzer.output import FORMATS
from synctrace.analyzer.report_files import parsed
from synctrace.analyzer.verdict import FAIL_ON
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.route import RECORDED, ROUTES
from synctrace.tracer.watch import WATCHES

COMMAND_METAVAR = "-- COMMAND [ARGS]..."
LEAST_SAMPLE = 0.01  # seconds; the rings are looked at no more often
PASS_THROUGH = {"allow_interspersed_args": False, "ignore_unknown_options": False}


class _Number(click.FloatRange):
    """A number in a range, which NaN is not: nothing is below it, so that nothing would fail."""

    def convert(
        self, value: Any, param: click.Parameter | None, context: click.Context | None
    ) -> float:
        """The number. Raises BadParameter."""
        number = float(super().convert(value, param, context))
        if math.isnan(number):
            self.fail(f"nan is not in the range {self._describe_range()}.", param, context)
        return number


def record_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What `record` and `run` take of a recording."""
    for option in (
        click.option("--via", type=click.Choice(ROUTES), default="auto",
                     show_default=True,
                     help="How to meet ggml's calls: by name (preload), by its interface for"
                     " backends (plugin), which needs ggml_backend_load_all() and sees no scheduler"
                     " runs, decode calls and host stores, or by name where that works (auto)."),
        click.option("--level", type=click.Choice(RECORDED), default="all", show_default=True,
                     help="Which calls: ggml's, those of the GPU's API (api: CUDA, HIP), or all."),
        click.option("--watch", type=click.Choice(WATCHES), default="digest", show_default=True,
                     help="How to see what the program writes to host memory that a device may"
                     " still use: compare its bytes, of more than 256 KB samples (digest); there"
                     " let the kernel track written pages (track); make its pages read-only and"
                     " tell who writes, at the price that a system call which writes there fails"
                     " in a program that does not make it through read, recv or fread (protect);"
                     " not at all (off)."),
        click.option("--device-times", is_flag=True,
                     help="When the device did each operation, not only when it was called: of"
                     " CUDA's programs, by NVIDIA's CUPTI. Makes calls dearer."),
        click.option("--kernel-code/--no-kernel-code", default=True, show_default=True,
                     help="Of CUDA's programs read, after the run, what the code of their kernels"
                     " does with its parameters, where nvdisasm is here."),
        click.option("--force-copies", type=int, metavar="N",
                     help="Fault injection: make ggml's scheduler with N pipeline copies."),
        click.option("--skip-sync", multiple=True, metavar="SITE,...",
                     help="Fault injection: leave out the syncs made at these sites, as check"
                     " prints them."),
        click.option("--sample", type=_Number(LEAST_SAMPLE), metavar="SECONDS",
                     help="Read counters of the machine so often, 0.1 say: GPU clocks, power, busy"
                     " share and memory, CPU time of the program's threads (view sample)."),
        click.option("-q", "--quiet", is_flag=True, help="No notes and no progress on stderr."),
        click.option("-f", "--force", is_flag=True,
                     help="Overwrite traces (run: and reports) that exist."),
        click.option(
            *("-o", "--output"),
            type=click.Path(),
            metavar="PATH",
            help="Trace folder to write; %p: process id, %h: host, %q{VAR}: environment variable.",
        ),
        click.argument("command", nargs=-1, type=click.UNPROCESSED, metavar=COMMAND_METAVAR,
                       shell_complete=anything),
    ):  # fmt: skip
        command = option(command)
    return command


host_order_option = click.option(
    "--host-order",
    type=click.Choice(["observed", "strict"]),
    default="observed",
    show_default=True,
    help="Whether a call that returned before another thread's call is before it.",
)


def check_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """What `check` and `run` take of a check."""
    for option in (
        click.option("-F", "--format", "format_", type=click.Choice(FORMATS),
                     default="text", show_default=True, help="Form of the report."),
        click.option("--report", "reports", multiple=True, metavar="FORMAT=FILE", callback=parsed,
                     help="Write the report to a file in this format too; several may be given,"
                     " FILE - is stdout."),
        click.option("--min-coverage", type=_Number(0, 100), metavar="PERCENT",
                     help="Exit code 3 unless so much of the accesses is known in each trace."),
        click.option("--max-findings", type=click.IntRange(0), metavar="N", default=0,
                     show_default=True,
                     help="Fail only with more than N findings that would fail; for old code."),
        click.option("--baseline", type=click.Path(), metavar="REPORT.json",
                     help="Report of check -F json: findings that it has too do not fail."),
        click.option("--source-root", type=click.Path(), metavar="DIR",
                     help="Folder from which sarif, github and gitlab name source files; default:"
                     " the current one."),
        click.option("--fail-on", type=click.Choice(FAIL_ON), default="error", show_default=True,
                     help="Lowest severity that makes the exit code 1."),
        click.option("--ignore", metavar="IDS", callback=listed, shell_complete=rules,
                     help="Rules or prefixes not to run."),
        click.option("--select", metavar="IDS", callback=listed, shell_complete=rules,
                     help="Only these rules or prefixes: RACE,LIFE01."
                     " Default: all but advice; SYNC and COPY show advice too, ALL is every rule."),
        host_order_option,
        click.option("--profile", metavar="P,...", callback=listed, shell_complete=profiles,
                     help="Memory models to check under; default: the trace's own."),
    ):  # fmt: skip
        command = option(command)
    return command


def tell_settings() -> None:
    """Say which file the command's options come from, besides the command line."""
    context = click.get_current_context()
    if context.default_map:
        note(f"settings of {context.obj.path}")


def examples(*commands: str) -> str:
    """Commands that end the help of a command, one a line."""
    return "\n".join(["\b", "Examples:", *(f"  {command}" for command in commands)])


def listed(_: click.Context, option: click.Parameter, text: str | None) -> list[str]:
    """Parts of an option's `A,B`; none if it was not given.

    Raises SynctraceError if it was, and names nothing: that would silently mean the default.
    """
    parts = [part.strip() for part in (text or "").split(",") if part.strip()]
    if text is not None and not parts:
        name = option.opts[0]
        raise SynctraceError(f"{name} names nothing: give A or A,B, or leave {name} out")
    return parts
