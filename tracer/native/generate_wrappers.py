"""Writes the wrappers of CUDA, HIP and RCCL from X_api.txt (signatures) and X_roles*.txt (roles).

    python tracer/native/generate_wrappers.py

They are X_wrappers.c and X_functions.h, beside it; a test holds them against their sources.
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
LIBRARIES = ("cuda", "hip", "rccl")
HEAD = "// Written by generate_wrappers.py from {0}_api.txt and {0}_roles*.txt: edit those.\n"

# What a parameter is to the calling convention: all else is a pointer or a handle, which is one.
_WORDS = {
    "int": "int",
    "unsigned int": "unsigned",
    "uint32_t": "uint32_t",
    "size_t": "size_t",
    "unsigned long long": "unsigned long long",
    "uint64_t": "uint64_t",
    "unsigned short": "unsigned short",
    "unsigned char": "unsigned char",
    "hipMemcpyKind": "int",
    "dim3": "struct hip_dim3",
    "hipExtent": "struct api_extent",
    "struct hipExtent": "struct api_extent",
    "hipPitchedPtr": "struct api_pitched",
    "hipIpcMemHandle_t": "struct hip_ipc_handle",
    "hipIpcEventHandle_t": "struct hip_ipc_handle",
    "hipStreamCaptureMode": "int",
    "hipGraphExecUpdateResult": "int",
    "ncclDataType_t": "int",
    "ncclRedOp_t": "int",
    "CUdevice": "int",
    "CUstreamCaptureMode": "int",
    "CUmemorytype": "int",
    "cuuint32_t": "uint32_t",
    "cuuint64_t": "uint64_t",
    "CUipcMemHandle": "struct cuda_ipc_handle",
    "CUipcEventHandle": "struct cuda_ipc_handle",
}
_POINTED = {"void**": "void **", "size_t*": "size_t *", "hipDeviceptr_t*": "void **"}
# Where a handle is put, or an address of the device's memory.
_HANDLE = re.compile(
    r"(hip\w+_t|CU(stream|event|graph|graphExec|graphNode|function|kernel|module|library|context|deviceptr))\*"
)
# Calls that wait, and the parameter that says for what.
_WAITS = {
    "STREAM_SYNC": ("stream", "hStream"),
    "STREAM_QUERY": ("stream", "hStream"),
    "EVENT_SYNC": ("event", "hEvent"),
    "EVENT_QUERY": ("event", "stop", "hEvent", "hEnd"),
    "DEVICE_SYNC": (),
}
_RETURNS = {
    "hipError_t": "int",
    "CUresult": "int",
    "ncclResult_t": "int",
    "void": "void",
    "void**": "void **",
}
_BY_HAND = "="  # the role of a function whose wrapper is not written here


@dataclass(frozen=True)
class Function:
    """One line of an X_api.txt."""

    table: str
    index: int
    name: str
    returns: str
    parameters: tuple[tuple[str, str], ...]  # type, name


@dataclass(frozen=True)
class Role:
    """One line of an X_roles*.txt."""

    kind: str
    before: str
    after: str


def functions(text: str) -> dict[str, Function]:
    """The functions of an X_api.txt by name."""
    found = {}
    for line in text.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        head, _, listed = line.partition("|")
        table, index, name, returns = head.split(maxsplit=3)
        pairs = [part.strip().rsplit(maxsplit=1) for part in listed.split(",") if part.strip()]
        parameters = tuple((" ".join(type_.split()), name) for type_, name in pairs)
        found[name] = Function(table, int(index), name, returns.strip(), parameters)
    return found


def roles(text: str) -> dict[str, Role]:
    """The roles of an X_roles*.txt by function."""
    found = {}
    for line in text.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        name, kind, before, after = (part.strip() for part in line.split("|"))
        found[name] = Role(kind, before, after)
    return found


def c_type(type_: str) -> str:
    """The C type by which a parameter is passed on."""
    if type_ in _WORDS:
        return _WORDS[type_]
    pointed = re.sub(r"\s*\*", "*", type_.removeprefix("const ").strip())
    if pointed in _POINTED:
        return _POINTED[pointed]
    if _HANDLE.fullmatch(pointed):
        return "void **"
    if "*" in type_:
        return "const void *" if type_.startswith("const ") else "void *"
    return "void *"


def wrapper(function: Function, role: Role, prefix: str) -> str:
    """The definition that stands in for the function."""
    types = ", ".join(c_type(type_) for type_, _ in function.parameters) or "void"
    listed = ", ".join(f"{c_type(type_)} {name}" for type_, name in function.parameters)
    passed = ", ".join(name for _, name in function.parameters)
    returns = _RETURNS[function.returns]
    head = f"EXPORT {returns} {function.name}({listed or 'void'}) {{\n"
    call = f"REAL_{prefix}({function.name}, {returns}, ({types}))({passed})"
    if role.kind == "-":
        first = f"    {role.before};\n" if role.before else ""
        then = f"    {role.after};\n" if role.after else ""
        if returns == "void":
            return f"{head}{first}    {call};\n{then}}}\n"
        return f"{head}{first}    {returns} rc = {call};\n{then}    return rc;\n}}\n"
    lines = [head]
    if role.kind in _WAITS:
        handle = next((n for _, n in function.parameters if n in _WAITS[role.kind]), "NULL")
        lines.append(f"    {prefix}_LOOK({role.kind}, {handle});\n")
    lines.append(f"    {prefix}_ENTER({function.name}, KIND_{role.kind});\n")
    if role.before:
        lines.append(f"    if (c->op.thread)\n        {role.before};\n")
    lines.append(f"    {prefix}_OUT();\n    int rc = {prefix}_LEFT_OUT() ? 0 : {call};\n")
    lines.append(f"    {prefix}_BACK();\n")
    if role.after:
        lines.append(f"    if (c->op.thread && !rc)\n        {role.after};\n")
    lines.append(f"    {prefix}_LEAVE();\n    return rc;\n}}\n")
    return "".join(lines)


def with_per_thread(api: dict[str, Function], said: dict[str, Role]) -> dict[str, Role]:
    """CUDA's functions of a second name too, whose default stream is the thread's own.

    What they do is what the plain ones do, on PTS(stream) for a stream, PTS(LEGACY) for none.
    """
    every = dict(said)
    for name, role in said.items():
        for twin in (f"{name}_ptsz", f"{name}_ptds"):
            if twin not in api or twin in said:
                continue
            streams = [n for type_, n in api[twin].parameters if type_ == "CUstream"]
            words = re.compile(rf"\b({'|'.join([*streams, 'LEGACY'])})\b")
            every[twin] = Role(
                role.kind,
                words.sub(r"PTS(\1)", role.before),
                words.sub(r"PTS(\1)", role.after),
            )
    return every


def write(library: str) -> None:
    """Both files of a library. Exits where a role is of a function that its table has not."""
    api = functions((HERE / f"{library}_api.txt").read_text())
    said: dict[str, Role] = {}
    for file in sorted(HERE.glob(f"{library}_roles*.txt")):
        said |= roles(file.read_text())
    if unknown := said.keys() - api.keys():
        names = ", ".join(sorted(unknown))
        sys.exit(f"{library}_roles*.txt name what {library}_api.txt has not: {names}")
    said = with_per_thread(api, said)
    known = [function for name, function in api.items() if name in said]
    head, prefix = HEAD.format(library), library.upper()
    (HERE / f"{library}_functions.h").write_text(
        f"{head}// X(name, table, index): its place behind the word of the table's size.\n"
        f"#pragma once\n// clang-format off\n#define {prefix}_FUNCTIONS(X) \\\n"
        + " \\\n".join(f"    X({f.name}, {prefix}_{f.table.upper()}, {f.index})" for f in known)
        + "\n"
    )
    body = "\n".join(
        wrapper(function, said[function.name], prefix)
        for function in known
        if said[function.name].kind != _BY_HAND
    )
    (HERE / f"{library}_wrappers.c").write_text(
        f'{head}#include "{library}_calls.h"\n\n// clang-format off\n{body}'
    )


def main() -> None:
    """Write the files of all libraries."""
    for library in LIBRARIES:
        write(library)


if __name__ == "__main__":
    main()
