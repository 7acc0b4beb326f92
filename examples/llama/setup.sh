#!/usr/bin/env bash
# Brings what the llama.cpp demo and tests need: Mesa's CPU Vulkan driver (Debian packages, only as
# root and only if missing) and a prebuilt, unmodified llama.cpp (one npm package, into .cache/llama).
# With --optional a missing piece is said and is no failure: the tests that need it then say so too.
set -euo pipefail
cd "$(dirname "$0")/../.."
optional=${1:-}
. examples/debian.sh
package=@node-llama-cpp/linux-x64-vulkan@3.22.1
lib=.cache/llama/package/bins/linux-x64-vulkan

give_up() {
    echo "llama.cpp set-up: $1" >&2
    [ "$optional" = --optional ] && exit 0
    exit 2
}

[ "$(uname -m)" = x86_64 ] || give_up "the prebuilt llama.cpp is for x86-64 only, this is $(uname -m)"

missing=()
ls /usr/share/vulkan/icd.d/lvp_icd*.json >/dev/null 2>&1 || missing+=(mesa-vulkan-drivers)
ldconfig -p 2>/dev/null | grep -q libvulkan.so.1 || missing+=(libvulkan1)
[ -f $lib/libggml-vulkan.so ] || command -v npm >/dev/null || missing+=(npm)
debian_packages "llama.cpp set-up" "${missing[@]}"

if [ ! -f $lib/libggml-vulkan.so ]; then
    echo "llama.cpp set-up: downloading the npm package $package (24 MB)"
    mkdir -p .cache/llama
    (cd .cache/llama && npm pack --silent "$package" >/dev/null && tar xzf ./*.tgz && rm -f ./*.tgz) ||
        give_up "npm could not download $package: is there a network?"
fi
