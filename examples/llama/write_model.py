"""Writes a tiny random llama-architecture model: a few hundred kilobytes, nothing to download.

    python write_model.py PATH [LAYERS]

The weights are random (seeded), so its tokens mean nothing; what counts is that llama.cpp runs the
same scheduler, splits and copies for it as for a real model.
"""

import sys

import gguf
import numpy as np

EMBEDDING, HEADS, KV_HEADS, FEED_FORWARD, VOCABULARY, CONTEXT = 64, 4, 2, 128, 256, 512


def write_model(path: str, layers: int) -> None:
    """Write a model of this many layers to path."""
    random = np.random.default_rng(0)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(EMBEDDING)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(FEED_FORWARD)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KV_HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(EMBEDDING // HEADS)
    writer.add_vocab_size(VOCABULARY)
    writer.add_tokenizer_model("none")
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)

    def weights(name: str, *shape: int) -> None:
        values = random.standard_normal(shape) * 0.05
        writer.add_tensor(name, values.astype(np.float32))

    def ones(name: str) -> None:
        writer.add_tensor(name, np.ones(EMBEDDING, np.float32))

    weights("token_embd.weight", VOCABULARY, EMBEDDING)
    ones("output_norm.weight")
    weights("output.weight", VOCABULARY, EMBEDDING)
    kv = EMBEDDING * KV_HEADS // HEADS
    for layer in range(layers):
        block = f"blk.{layer}."
        ones(block + "attn_norm.weight")
        weights(block + "attn_q.weight", EMBEDDING, EMBEDDING)
        weights(block + "attn_k.weight", kv, EMBEDDING)
        weights(block + "attn_v.weight", kv, EMBEDDING)
        weights(block + "attn_output.weight", EMBEDDING, EMBEDDING)
        ones(block + "ffn_norm.weight")
        weights(block + "ffn_gate.weight", FEED_FORWARD, EMBEDDING)
        weights(block + "ffn_up.weight", FEED_FORWARD, EMBEDDING)
        weights(block + "ffn_down.weight", EMBEDDING, FEED_FORWARD)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    write_model(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 4)
