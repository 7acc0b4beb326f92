"""What is known of kernels by name: their modes, read once and kept in the user's cache."""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.kinds import Mode
from synctrace.tracer.sass.cubin import Cubin, read_cubin
from synctrace.tracer.sass.fatbin import cubins
from synctrace.tracer.sass.images import Images
from synctrace.tracer.sass.modes import KernelModes, Word, kernel_modes, unknown_modes
from synctrace.tracer.sass.nvdisasm import listing_of, needed_nvdisasm, version_of

ANALYSIS = 1  # grows when the analysis says other things of the same code
NOT_FOUND = "its code is not here: compiled from PTX, or not copied"
FROM_PTX = "the driver compiled it from PTX"


@dataclass(frozen=True)
class _Loaded:
    """A cubin that the GPU can run, and the codes of the images that have it."""

    content: bytes
    cubin: Cubin
    codes: set[int]

    def has(self, kernel: str) -> bool:
        return kernel in self.cubin.layouts and kernel in self.cubin.functions


def known_kernels(images: Images, kernels: Iterable[tuple[str, int]]) -> Iterator[KernelModes]:
    """Modes of these kernels (name, kernel.code), in their order: of the image that has the code,
    or of whichever image has the name. One that several have in different ways is not known.

    As many are read at once as there are cores, most of it by nvdisasm. Raises SynctraceError
    without that.
    """
    tool = needed_nvdisasm()
    version = version_of(tool)
    loaded = _loaded(images)

    def read(kernel: tuple[str, int]) -> KernelModes:
        name, code = kernel
        having = [one for one in loaded if one.has(name)]
        its_own = [one for one in having if code in one.codes]
        if name in images.sources and not its_own:
            return unknown_modes(name, FROM_PTX)
        found = [_cached(tool, version, one.content, one.cubin, name) for one in its_own or having]
        return _same(name, found)

    wanted = list(kernels)
    pool = ThreadPoolExecutor(os.cpu_count())
    try:
        jobs = {kernel: pool.submit(read, kernel) for kernel in wanted}
        yield from (jobs[kernel].result() for kernel in wanted)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _loaded(images: Images) -> list[_Loaded]:
    """Each cubin that the GPU can run, once: those of one image nearest to it."""
    found: dict[bytes, _Loaded] = {}
    for code, image in images.contents:
        try:
            fit = [(sm, content) for sm, content in cubins(image) if _fits(sm, images.gpu)]
        except SynctraceError:
            continue
        nearest = max((sm for sm, _ in fit), default=0)
        for content in (content for sm, content in fit if sm == nearest):
            key = hashlib.sha256(content).digest()
            with suppress(SynctraceError):
                if key not in found:
                    found[key] = _Loaded(content, read_cubin(content), set())
                found[key].codes.update({code} - {0})
    return list(found.values())


def _fits(sm: int, gpu: int) -> bool:
    return not gpu or (sm // 10 == gpu // 10 and sm <= gpu)


def _same(name: str, found: list[KernelModes]) -> KernelModes:
    if not found:
        return unknown_modes(name, NOT_FOUND)
    first, *others = found
    if any(other != first for other in others):
        return unknown_modes(name, "several kernels of this name were loaded")
    return first


def cache_folder() -> Path:
    """Where analyses are kept."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "synctrace" / "kernels"


def _cached(tool: Path, version: str, content: bytes, cubin: Cubin, name: str) -> KernelModes:
    """A cache that cannot be read or written is none."""
    said = f"{ANALYSIS} {version} {name} ".encode() + hashlib.sha256(content).digest()
    file = cache_folder() / f"{hashlib.sha256(said).hexdigest()}.json"
    with suppress(OSError, ValueError, TypeError, KeyError):
        return _from_json(json.loads(file.read_text()))
    try:
        modes = kernel_modes(name, listing_of(tool, content, cubin, name), cubin)
    except SynctraceError as error:
        return unknown_modes(name, str(error))
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(f".{os.getpid()}.part")
        part.write_text(json.dumps(_to_json(modes)))
        part.replace(file)
    return modes


def _to_json(modes: KernelModes) -> dict[str, object]:
    words = [[word.offset, word.used, int(word.mode)] for word in modes.words]
    elsewhere = None if modes.elsewhere is None else int(modes.elsewhere)
    rest = {"waits": modes.waits, "triggers": modes.triggers, "why": modes.why}
    return {"name": modes.name, "words": words, "elsewhere": elsewhere, **rest}


def _from_json(said: dict[str, Any]) -> KernelModes:
    words = tuple(Word(offset, used, Mode(mode)) for offset, used, mode in said["words"])
    elsewhere = None if said["elsewhere"] is None else Mode(said["elsewhere"])
    return KernelModes(**{**said, "words": words, "elsewhere": elsewhere})
