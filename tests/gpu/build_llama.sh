#!/usr/bin/env bash
# Builds llama.cpp with its CUDA backend as shared libraries: build_llama.sh SOURCE BUILD.
# SOURCE is the vendor/llama.cpp folder of a llama-cpp-python sdist. About 1 h of one core's time.
set -euo pipefail
source=$1 build=$2
off=$(printf -- '-D%s=OFF ' GGML_CUDA_FA LLAMA_BUILD_{COMMON,TESTS,TOOLS,EXAMPLES,SERVER,APP,UI} \
    LLAMA_CURL LLAMA_OPENSSL)
# shellcheck disable=SC2086
cmake -G Ninja -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON \
    -DGGML_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES=90 $off >"$build.log" 2>&1
ninja -C "$build" llama ggml ggml-cuda >>"$build.log" 2>&1
find "$build" -name 'lib*.so*' -not -type d | sort
