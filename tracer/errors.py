"""One error type for the whole product: a sentence that says what to do, and the exit code."""

# Exit codes are part of the interface (docs/commands.md). Never reuse a retired number.
EXIT_CLEAN = 0
EXIT_FINDINGS = 1
EXIT_ERROR = 2  # usage, unreadable input, internal error
EXIT_INCOMPLETE = 3  # the trace lost data and nothing was found: not a clean bill
EXIT_RECORDER = 125  # `record` could not start or write; the program was not judged

RECORD_AGAIN = "record or import it again"  # what to do about a damaged trace


class SynctraceError(Exception):
    """A failure the user can act on: one sentence, what to do, and the exit code."""

    def __init__(self, message: str, exit_code: int = EXIT_ERROR) -> None:
        super().__init__(message)
        self.exit_code = exit_code


def damaged(what: object, reason: object) -> SynctraceError:
    """The error to raise for a trace, or a file of it, that is not what a recorder writes."""
    return SynctraceError(f"{what} is damaged ({reason}): {RECORD_AGAIN}")
