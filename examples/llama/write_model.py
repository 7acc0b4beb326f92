"""Writes a tiny random llama-architecture model: a few hundred kilobytes, nothing to download.

    python write_model.py PATH [LAYERS [WIDTH]]

The weights are random (seeded), so its tokens mean nothing; what counts is that llama.cpp runs the
same scheduler, splits and copies for it as for a real model.
"""

import sys

import gguf
import numpy as np

VOCABULARY, CONTEXT, WIDTH, HEAD = 256, 512, 64, 16


def write_model(path: str, layers: int, width: int = WIDTH) -> None:
    """Write a model of this many layers and embedding width (a multiple of 64) to path."""
    head = HEAD if width == WIDTH else 64
    heads, feed_forward = width // head, 2 * width
    kv = width // 2
    random = np.random.default_rng(0)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(width)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(feed_forward)
    writer.add_head_count(heads)
    writer.add_head_count_kv(heads // 2)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(head)
    writer.add_vocab_size(VOCABULARY)
    writer.add_tokenizer_model("none")
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)

    def weights(name: str, *shape: int) -> None:
        values = random.standard_normal(shape) * 0.05 * (WIDTH / width) ** 0.5
        writer.add_tensor(name, values.astype(np.float32))

    def ones(name: str) -> None:
        writer.add_tensor(name, np.ones(width, np.float32))

    weights("token_embd.weight", VOCABULARY, width)
    ones("output_norm.weight")
    weights("output.weight", VOCABULARY, width)
    for layer in range(layers):
        block = f"blk.{layer}."
        ones(block + "attn_norm.weight")
        weights(block + "attn_q.weight", width, width)
        weights(block + "attn_k.weight", kv, width)
        weights(block + "attn_v.weight", kv, width)
        weights(block + "attn_output.weight", width, width)
        ones(block + "ffn_norm.weight")
        weights(block + "ffn_gate.weight", feed_forward, width)
        weights(block + "ffn_up.weight", feed_forward, width)
        weights(block + "ffn_down.weight", width, feed_forward)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    write_model(sys.argv[1], *map(int, sys.argv[2:] or ["4"]))
