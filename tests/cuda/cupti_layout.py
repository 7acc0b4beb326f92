"""Whether CUPTI's records lie as tracer/native/cupti.c reads them, by the headers of a version.

    python tests/cuda/cupti_layout.py FOLDER ...

A folder holds cupti_activity.h, anywhere below it: a CUDA toolkit, or an unpacked wheel
(`pip download --no-deps nvidia-cuda-cupti==13.4.92`). Prints a line for each; exits 1 if any
differs. Nothing of CUDA but these headers is needed.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

CUPTI_C = Path(__file__).parents[2] / "tracer/native/cupti.c"
CUPTI_H = CUPTI_C.with_suffix(".h")

# Of each kind the family of structs, of which a CUPTI writes the newest that its header has, and
# the name of the kind there.
STRUCTS = {
    "CUPTI_MEMCPY": ("Memcpy", "MEMCPY"),
    "CUPTI_MEMSET": ("Memset", "MEMSET"),
    "CUPTI_KERNEL": ("Kernel", "CONCURRENT_KERNEL"),
    "CUPTI_MEMCPY_PEER": ("MemcpyPtoP", "MEMCPY2"),
    "CUPTI_GRAPH_TRACE": ("GraphTrace", "GRAPH_TRACE"),
}
# What cupti_activity.h takes from cuda.h and from CUPTI's header of callbacks, which takes more.
_CUDA = """
#pragma once
#include <stdint.h>
#include <stddef.h>
#define __CUPTI_CALLBACKS_H__
#define CUPTIAPI
typedef void *CUcontext, *CUstream, *CUgraph, *CUgraphNode, *CUgraphExec, *CUevent;
typedef void *CUpti_SubscriberHandle;
typedef int CUdevice, CUdevice_attribute, CUaccessPolicyWindow;
typedef uint32_t CUpti_CallbackId, CUpti_CallbackDomain;
typedef struct { char bytes[16]; } CUuuid;
"""


def ours() -> dict[str, tuple[int, int, int]]:
    """Correlation, start and end of each kind, as read by the recorder."""
    found = re.findall(r"\{(CUPTI_\w+), (\d+), (\d+), (\d+)\}", CUPTI_C.read_text())
    return {kind: (int(one), int(two), int(three)) for kind, one, two, three in found}


def numbers() -> dict[str, int]:
    """Numbers of the kinds, as the recorder has them."""
    return {n: int(v) for n, v in re.findall(r"(CUPTI_\w+) = (\d+)", CUPTI_H.read_text())}


def external() -> tuple[int, int, int]:
    """Of a record of external correlation: kind, id and correlation."""
    text = CUPTI_C.read_text()
    found = re.search(
        r"EXTERNAL_KIND = (\d+), EXTERNAL_ID = (\d+), EXTERNAL_CORRELATION = (\d+)", text
    )
    assert found
    return int(found[1]), int(found[2]), int(found[3])


def newest(header: str, family: str) -> str:
    """The newest struct of a family: Kernel10 behind Kernel9."""
    names: list[str] = re.findall(rf"\}} CUpti_Activity({family}\d*);", header)
    return max(names, key=lambda name: int(name.removeprefix(family) or 0))


def program(header: str) -> str:
    """C that prints what the header says."""
    lines = []
    for kind, (family, named) in STRUCTS.items():
        struct = f"CUpti_Activity{newest(header, family)}"
        places = ", ".join(
            f"offsetof({struct}, {field})" for field in ("correlationId", "start", "end")
        )
        said = f"CUPTI_ACTIVITY_KIND_{named}"
        lines.append(f'printf("{kind} %d %zu %zu %zu\\n", {said}, {places});')
    struct = "CUpti_ActivityExternalCorrelation"
    places = ", ".join(
        f"offsetof({struct}, {field})" for field in ("externalKind", "externalId", "correlationId")
    )
    said = "CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION"
    lines.append(f'printf("EXTERNAL %d %zu %zu %zu\\n", {said}, {places});')
    lines.append('printf("OWN %d 0 0 0\\n", CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2);')
    lines.append('printf("TAKEN %d 0 0 0\\n", CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);')
    body = "\n    ".join(lines)
    return (
        "#include <cuda.h>\n#include <stdio.h>\n#include <cupti_result.h>\n"
        f"#include <cupti_activity.h>\nint main(void) {{\n    {body}\n}}\n"
    )


def differences(include: Path) -> list[str]:
    """What the header of this folder says otherwise."""
    header = (include / "cupti_activity.h").read_text(errors="replace")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "cuda.h").write_text(_CUDA)
        (folder / "layout.c").write_text(program(header))
        command = ["cc", "-w", f"-I{folder}", f"-I{include}", "layout.c", "-o", "layout"]
        subprocess.run(command, cwd=folder, check=True)
        printed = subprocess.run([folder / "layout"], capture_output=True, text=True, check=True)
    expected = {kind: (numbers()[kind], *places) for kind, places in ours().items()}
    expected["EXTERNAL"] = (numbers()["CUPTI_EXTERNAL_CORRELATION"], *external())
    expected["OWN"] = (numbers()["CUPTI_OF_RECORDER"], 0, 0, 0)
    expected["TAKEN"] = (numbers()["CUPTI_SLOT_TAKEN"], 0, 0, 0)
    rows = [line.split() for line in printed.stdout.splitlines()]
    said = {row[0]: tuple(int(number) for number in row[1:]) for row in rows}
    return [
        f"{kind}: {said.get(kind)}, read at {places}"
        for kind, places in expected.items()
        if said.get(kind) != places
    ]


def includes(folder: Path) -> list[Path]:
    return sorted({path.parent.resolve() for path in folder.rglob("cupti_activity.h")})


def main(folders: list[str]) -> int:
    wrong = 0
    for include in (i for folder in folders for i in includes(Path(folder))):
        version = re.search(
            r"#define CUPTI_API_VERSION (\d+)", (include / "cupti_version.h").read_text()
        )
        found = differences(include)
        wrong += bool(found)
        print(include, version and version[1], "; ".join(found) or "as read")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
