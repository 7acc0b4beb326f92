#!/usr/bin/env bash
# Brings hipcc and HIP's headers for test_hipcc.py: Debian packages, only as root and only if missing.
# With --optional a missing piece is said and is no failure: the tests that need it then say so too.
set -euo pipefail
optional=${1:-}
. "$(dirname "$0")/../../../examples/debian.sh"

give_up() {
    echo "hipcc set-up: $1" >&2
    [ "$optional" = --optional ] && exit 0
    exit 2
}

[ "$(uname -m)" = x86_64 ] || give_up "the stand-in HIP runtime is for x86-64 only, this is $(uname -m)"

missing=()
command -v hipcc >/dev/null || missing+=(hipcc)
[ -e /usr/include/hip/hip_runtime.h ] || [ -e /opt/rocm/include/hip/hip_runtime.h ] || missing+=(libamdhip64-dev)
debian_packages "hipcc set-up" "${missing[@]}"
