#!/usr/bin/env bash
# Records an unmodified, prebuilt llama.cpp that runs asynchronously on the CPU (Vulkan on Mesa's
# lavapipe), checks the trace and prints the signature of a token. `make demo-llama` calls it.
set -euo pipefail
cd "$(dirname "$0")/../.."
cache=.cache/llama
lib=$cache/package/bins/linux-x64-vulkan
trace=.demo/llama.synctrace
mkdir -p .demo

[ -f $cache/tiny.gguf ] || .venv/bin/python examples/llama/write_model.py $cache/tiny.gguf 4
[ $cache/driver -nt examples/llama/driver.c ] ||
    cc -O1 -o $cache/driver examples/llama/driver.c -ldl

# lavapipe is a CPU device, which llama.cpp skips unless it is named.
export GGML_VK_VISIBLE_DEVICES=${GGML_VK_VISIBLE_DEVICES:-0}
echo "== The program alone (the first run compiles shaders: up to a minute)"
$cache/driver $lib $cache/tiny.gguf 99 16 | tee .demo/plain.txt
echo
echo "== The same program, recorded"
echo "\$ synctrace record -o $trace -- driver …"
synctrace record -f -o $trace -- $cache/driver $lib $cache/tiny.gguf 99 16 | tee .demo/recorded.txt
cmp -s .demo/plain.txt .demo/recorded.txt ||
    { echo "demo: recording changed the output" >&2; exit 1; }
echo "(same tokens, same logits to the bit)"
echo
echo "== The verdict"
echo "\$ synctrace check $trace"
synctrace check $trace
