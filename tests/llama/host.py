"""A Python host of llama.cpp: opens the libraries by ctypes and runs the token loop of driver.c.

python host.py LIBDIR MODEL GPU_LAYERS TOKENS {local|global}
"""

import ctypes
import os
import sys


class Params(ctypes.Structure):
    """A roomy block for a parameter struct; see driver.c."""

    _fields_ = (("word", ctypes.c_int32 * 128),)


class Batch(ctypes.Structure):
    """llama_batch."""

    _fields_ = (
        ("n_tokens", ctypes.c_int32),
        ("token", ctypes.POINTER(ctypes.c_int32)),
        ("embd", ctypes.c_void_p),
        ("pos", ctypes.POINTER(ctypes.c_int32)),
        ("n_seq_id", ctypes.POINTER(ctypes.c_int32)),
        ("seq_id", ctypes.POINTER(ctypes.POINTER(ctypes.c_int32))),
        ("logits", ctypes.POINTER(ctypes.c_int8)),
    )


def main() -> None:
    """Print greedy tokens."""
    folder, model_path, layers, tokens, visibility = sys.argv[1:6]
    mode = os.RTLD_NOW | (os.RTLD_GLOBAL if visibility == "global" else os.RTLD_LOCAL)
    ggml = ctypes.CDLL(f"{folder}/libggml.vulkan.v0.5.0.so", mode=mode)
    llama = ctypes.CDLL(f"{folder}/libllama.vulkan.v0.5.0.so", mode=mode)
    ggml.ggml_backend_load_all_from_path(folder.encode())
    llama.llama_backend_init()
    pointer, block = ctypes.c_void_p, Params
    llama.llama_model_default_params.restype = block
    llama.llama_context_default_params.restype = block
    llama.llama_model_load_from_file.restype = pointer
    llama.llama_model_load_from_file.argtypes = [ctypes.c_char_p, block]
    llama.llama_init_from_model.restype = pointer
    llama.llama_init_from_model.argtypes = [pointer, block]
    llama.llama_batch_init.restype = Batch
    llama.llama_decode.argtypes = [pointer, Batch]
    llama.llama_get_logits_ith.restype = ctypes.POINTER(ctypes.c_float)
    llama.llama_get_logits_ith.argtypes = [pointer, ctypes.c_int32]

    params = llama.llama_model_default_params()
    params.word[4] = int(layers)
    model = llama.llama_model_load_from_file(model_path.encode(), params)
    params = llama.llama_context_default_params()
    params.word[0], params.word[1], params.word[2] = 512, 256, 64
    context = llama.llama_init_from_model(model, params)
    batch = llama.llama_batch_init(256, 0, 1)
    batch.n_tokens, position, out = 8, 0, []
    for i in range(8):
        batch.token[i] = (i * 37 + 11) % 256
    for _ in range(int(tokens) + 1):
        for i in range(batch.n_tokens):
            batch.pos[i], position = position, position + 1
            batch.n_seq_id[i], batch.seq_id[i][0] = 1, 0
            batch.logits[i] = i == batch.n_tokens - 1
        assert llama.llama_decode(context, batch) == 0
        logits = llama.llama_get_logits_ith(context, batch.n_tokens - 1)
        best = max(range(256), key=lambda i: logits[i])
        out.append(best)
        batch.n_tokens, batch.token[0] = 1, best
    print(*out[:-1])


main()
