"""A Python host of llama.cpp: one model, a context a thread, each decodes a prompt and some tokens.

python llama_threads.py LIBDIR MODEL THREADS

Prints each thread's greedy tokens and a digest of its logits, and how many threads the process has
when all of them have decoded; in the last line the process' largest size, in kB.
"""

import ctypes
import hashlib
import sys
import threading
from pathlib import Path
from typing import Any

VOCABULARY, PROMPT, TOKENS, UBATCH = 256, 64, 4, 16
POINTER, INT = ctypes.c_void_p, ctypes.c_int32


class Params(ctypes.Structure):
    """A roomy block for a parameter struct; see examples/llama/driver.c."""

    _fields_ = (("word", INT * 128),)


class Batch(ctypes.Structure):
    """llama_batch."""

    _fields_ = (
        ("n_tokens", INT),
        ("token", ctypes.POINTER(INT)),
        ("embd", POINTER),
        ("pos", ctypes.POINTER(INT)),
        ("n_seq_id", ctypes.POINTER(INT)),
        ("seq_id", ctypes.POINTER(ctypes.POINTER(INT))),
        ("logits", ctypes.POINTER(ctypes.c_int8)),
    )


class Llama:
    """The library with one model on the GPU."""

    def __init__(self, folder: str, model: str, threads: int) -> None:
        self.decoded = threading.Barrier(threads + 1)
        self.counted = threading.Barrier(threads + 1)
        ggml = ctypes.CDLL(f"{folder}/libggml.so")
        self.library = ctypes.CDLL(f"{folder}/libllama.so")
        ggml.ggml_backend_load_all_from_path(folder.encode())
        self.function("llama_backend_init", None)()
        params = self.function("llama_model_default_params", Params)()
        params.word[4] = 99  # layers on the GPU
        load = self.function("llama_model_load_from_file", POINTER, ctypes.c_char_p, Params)
        self.model = load(model.encode(), params)

    def function(self, name: str, result: Any, *types: Any) -> Any:
        found = self.library[name]
        found.restype, found.argtypes = result, types
        return found

    def decode(self, out: list[str], number: int) -> None:
        """All that one thread does; its line of text is appended."""
        params = self.function("llama_context_default_params", Params)()
        params.word[0], params.word[1], params.word[2] = 512, 256, UBATCH
        make = self.function("llama_init_from_model", POINTER, POINTER, Params)
        context = make(self.model, params)
        batch = self.function("llama_batch_init", Batch, INT, INT, INT)(256, 0, 1)
        run = self.function("llama_decode", INT, POINTER, Batch)
        read = self.function("llama_get_logits_ith", ctypes.POINTER(ctypes.c_float), POINTER, INT)
        batch.n_tokens, position, digest, tokens = PROMPT, 0, hashlib.sha256(), []
        for i in range(PROMPT):
            batch.token[i] = (i * 37 + 11 + number) % VOCABULARY
        for _ in range(TOKENS):
            for i in range(batch.n_tokens):
                batch.pos[i], position = position, position + 1
                batch.n_seq_id[i], batch.seq_id[i][0] = 1, 0
                batch.logits[i] = i == batch.n_tokens - 1
            assert run(context, batch) == 0
            logits = read(context, batch.n_tokens - 1)[:VOCABULARY]
            digest.update(repr(logits).encode())
            tokens.append(logits.index(max(logits)))
            batch.n_tokens, batch.token[0] = 1, tokens[-1]
        out.append(f"thread {number}: {tokens} {digest.hexdigest()[:16]}")
        self.decoded.wait()
        self.counted.wait()
        self.function("llama_free", None, POINTER)(context)


def status(key: str) -> str:
    text = Path("/proc/self/status").read_text()
    return next(line.split()[1] for line in text.splitlines() if line.startswith(f"{key}:"))


def main() -> None:
    folder, model, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    llama, out = Llama(folder, model, count), list[str]()
    threads = [threading.Thread(target=llama.decode, args=(out, i)) for i in range(count)]
    for thread in threads:
        thread.start()
    llama.decoded.wait()
    print(*sorted(out), f"{status('Threads')} threads", sep="\n", flush=True)
    llama.counted.wait()
    for thread in threads:
        thread.join()
    print(status("VmHWM"))


main()
