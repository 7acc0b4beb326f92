#!/usr/bin/env bash
# Builds llama.cpp with its CUDA backend as shared libraries: build_llama.sh SOURCE BUILD [SOURCE BUILD …],
# all side by side. SOURCE is the vendor/llama.cpp folder of a llama-cpp-python sdist, of which
# ggml/src/ggml-* other than ggml-cpu and ggml-cuda may be missing. About 1 h of one core's time each;
# needs nvcc and cuBLAS, no GPU. PORTABLE=1: for another machine than this. Libraries are in BUILD/bin.
set -euo pipefail
off=$(printf -- '-D%s=OFF ' GGML_CUDA_FA GGML_CCACHE LLAMA_CURL LLAMA_OPENSSL \
    LLAMA_BUILD_{COMMON,TESTS,TOOLS,EXAMPLES,SERVER,APP,UI} ${PORTABLE:+GGML_NATIVE})
build() {
    # shellcheck disable=SC2086
    cmake -G Ninja -S "$1" -B "$2" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON -DGGML_CUDA=ON \
        -DCMAKE_CUDA_ARCHITECTURES=90-real -DCMAKE_BUILD_RPATH_USE_ORIGIN=ON $off >"$2.log" 2>&1
    ninja -C "$2" llama ggml ggml-cuda >>"$2.log" 2>&1
    find "$2" -name 'lib*.so*' -not -type d | sort
}
running=()
while [ $# -gt 0 ]; do
    build "$1" "$2" &
    running+=($!)
    shift 2
done
for one in "${running[@]}"; do wait "$one"; done
