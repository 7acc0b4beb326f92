"""Which parameters of kernels are pointers to const, by their mangled names."""

import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from record.code_object_driver import NATIVE
from record.mangled import pointers_to_const

HERE = Path(__file__).parent
Read = Callable[[list[str]], list[tuple[int, bool, str]]]

SOURCE = """
struct plain { float *p; };
template <typename T> struct pair { T a, b; };
namespace outer { namespace { struct hidden {}; }
namespace inner { template <typename T, int N> struct box { T item[N]; }; } }
enum class kind { one, two };
static float twice(const float *x, float y) { return *x * y; }

void none() {}
void ints(int, unsigned char, long long, bool) {}
void pointers(const int *, int *, const volatile float *, volatile float *, void *, const void *) {}
void again(const char *, const char *, char *, char *, const char *const *, char *const *) {}
void structs(const plain *, plain *, plain, const plain &, plain **) {}
void templates(const pair<float> *, pair<const int *> *, const pair<const int *> *, pair<float>) {}
void nested(const outer::inner::box<float, 3> *, outer::inner::box<const float *, 4> *,
            outer::inner::box<float, 3>, const outer::inner::box<float, 3> *) {}
void functions(int (*)(const int *), const int *, void (*)(), float (*)(int, const float *)) {}
void arrays(const int (*)[3], int (*)[3][4], float (&)[2]) {}
void halves(const _Float16 *, _Float16 *) {}
namespace outer { void within(const hidden *, hidden *) {}
template <typename T> void generic(const T *, T *, T, const T &) {} }
template <typename T, typename U, bool B, int N> void many(const T *, U *, const U *, T **) {}
template <float (*F)(const float *, float), typename... Ts>
void packed(const float *, float *, Ts...) {}
template <kind K> void by_kind(const float *, float *) {}
template void outer::generic<float>(const float *, float *, float, const float &);
template void outer::generic<plain>(const plain *, plain *, plain, const plain &);
template void many<int, float, true, -3>(const int *, float *, const float *, int **);
template void packed<twice>(const float *, float *);
template void packed<twice, const int *, int>(const float *, float *, const int *, int);
template void by_kind<kind::two>(const float *, float *);
void user(outer::hidden *x) { outer::within(x, x); }
"""


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Read:
    """What the recorder reads of names, checked by the compiler's sanitizers."""
    program = tmp_path_factory.mktemp("kernel-types") / "program"
    files = [str(HERE / "kernel_types.c"), str(NATIVE / "kernel_types.c")]
    flags = ["-g", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined", f"-I{NATIVE}"]
    subprocess.run(["cc", *flags, *files, "-o", str(program)], check=True)

    def run(names: list[str]) -> list[tuple[int, bool, str]]:
        text = "".join(f"{name}\n" for name in names)
        done = subprocess.run([program], input=text, capture_output=True, text=True, check=True)
        words = [line.split(" ") for line in done.stdout.splitlines()]
        return [(int(told), whole == "1", letters) for told, whole, letters in words]

    return run


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Names as a compiler makes them, of functions with types of every make."""
    folder = tmp_path_factory.mktemp("names")
    (folder / "names.cpp").write_text(SOURCE)
    command = ["c++", "-std=c++17", "-c", "names.cpp", "-o", "names.o"]
    subprocess.run(command, cwd=folder, check=True)
    done = subprocess.run(["nm", "names.o"], cwd=folder, capture_output=True, text=True, check=True)
    return [line.split()[-1] for line in done.stdout.splitlines() if " _Z" in line]


def test_names_of_a_compiler(read: Read, compiled: list[str]) -> None:
    expected = pointers_to_const(compiled)
    assert len(compiled) == 19 and "c" in "".join(expected.values())
    for name, (told, whole, letters) in zip(compiled, read(compiled), strict=True):
        assert letters == expected[name][:told], name
        # Told up to a pack; all of the others'.
        assert whole == (told == len(expected[name]) > 0) or "packed" in name, name
        assert told or not expected[name], name


@pytest.mark.parametrize(
    "name",
    ["", "_", "_Z", "main", "_Zv", "_ZN", "_Z3fo", "_Z9999999999fooi", "_Z1fS_", "_Z1fDn" * 9],
)
def test_nothing_is_told_of_what_is_no_such_name(read: Read, name: str) -> None:
    assert read([name])[0][0] in (0, 1) and "c" not in read([name])[0][2]


def test_a_damaged_name_ends_nowhere_else(read: Read, compiled: list[str]) -> None:
    """Cut anywhere, or with a letter changed: read to some end, within its bytes."""
    draw = random.Random(7)
    cut = [name[:end] for name in compiled for end in range(len(name))]
    changed = [
        name[:at] + draw.choice("PKSTNIEFADLXJv0123456789_Z") + name[at + 1 :]
        for name in compiled
        for at in range(2, len(name))
    ]
    deep = ["_Z1f" + "P" * 5000 + "i", "_Z1f" + "1aI" * 5000, "_Z1f" + "N1a" * 400, "_Z1fXad" * 200]
    found = read([*cut, *changed, *deep])
    assert all(told <= 64 and told == len(letters) for told, _, letters in found)
