"""Where a trace goes: the -o template of `record` and its keys."""

import os
import re
import socket
from pathlib import Path

from synctrace.tracer.errors import SynctraceError

DEFAULT = "synctrace-{program}-{pid}.synctrace"
KEYS = "%p (process id), %h (host name), %q{NAME} (environment variable NAME), %% (a percent sign)"

_KEY = re.compile(r"%(?:q\{(?P<name>[^}]*)\}|(?P<key>.?))", re.DOTALL)
_UNSAFE = re.compile(r"[^A-Za-z0-9._+-]")


def output_path(template: str | None, program: str, pid: int) -> Path:
    """Folder of the trace of process `pid` of `program`.

    Without a template: `synctrace-PROGRAM-PID.synctrace` in the working directory. Raises
    SynctraceError for an empty template, an unknown key or an unset environment variable.
    """
    if template is None:
        name = _UNSAFE.sub("_", Path(program).name) or "program"
        return Path(DEFAULT.format(program=name, pid=pid))
    if not template:
        raise SynctraceError("-o is empty: give the folder to write the trace to")
    return Path(_KEY.sub(lambda match: _value(match, template, pid), template))


def _value(match: re.Match[str], template: str, pid: int) -> str:
    """What one key of the template stands for."""
    name, key = match["name"], match["key"]
    if name is not None:
        value = os.environ.get(name) if name else None
        if value is None:
            raise SynctraceError(
                f"-o {template} names the environment variable {name or '(empty)'}, which is not "
                "set: set it or leave the key out"
            )
        return value
    if key == "p":
        return str(pid)
    if key == "h":
        return _UNSAFE.sub("_", socket.gethostname())
    if key == "%":
        return "%"
    raise SynctraceError(f"-o {template} has an unknown key {match[0]}: the keys are {KEYS}")
