"""The libraries by which the recorder (native/decompress.c) unpacks the code of HIP kernels."""

import ctypes

UNPACKERS = ("libzstd.so.1", "libz.so.1")
UNPACK = "install them where the program runs: apt-get install libzstd1 zlib1g"


def unpackers_missing() -> list[str]:
    """Those that the loader does not find here."""
    return [library for library in UNPACKERS if not _opens(library)]


def _opens(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def not_unpacked(launches: int) -> list[str]:
    """What came of it, a sentence."""
    missing = " or ".join(UNPACKERS)
    what = f"what kernels of compressed code touch is not known, launches: {launches}"
    return [f"{what} ({missing} was not found): {UNPACK}"] if launches else []
