"""Writes a tiny random llama-architecture model: a few hundred kilobytes, nothing to download.

Usage: write_model.py OUT.gguf [LAYERS]
"""

import sys
from pathlib import Path

import gguf
import numpy as np

CONTEXT, WIDTH, HEADS, KV_HEADS, FEED_FORWARD, VOCABULARY = 512, 64, 4, 2, 128, 256


def write_model(path: Path, layers: int) -> None:
    """Write the model. It has no tokenizer: the driver feeds token ids."""
    random = np.random.default_rng(0)
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(layers)
    writer.add_feed_forward_length(FEED_FORWARD)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KV_HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_vocab_size(VOCABULARY)
    writer.add_tokenizer_model("none")
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)

    def ones(name: str) -> None:
        writer.add_tensor(f"{name}.weight", np.ones(WIDTH, np.float32))

    def noise(name: str, rows: int, columns: int) -> None:
        values = random.standard_normal((rows, columns)) * 0.05
        writer.add_tensor(f"{name}.weight", values.astype(np.float32))

    kv_width = WIDTH * KV_HEADS // HEADS
    noise("token_embd", VOCABULARY, WIDTH)
    ones("output_norm")
    noise("output", VOCABULARY, WIDTH)
    for layer in range(layers):
        block = f"blk.{layer}"
        ones(f"{block}.attn_norm")
        noise(f"{block}.attn_q", WIDTH, WIDTH)
        noise(f"{block}.attn_k", kv_width, WIDTH)
        noise(f"{block}.attn_v", kv_width, WIDTH)
        noise(f"{block}.attn_output", WIDTH, WIDTH)
        ones(f"{block}.ffn_norm")
        noise(f"{block}.ffn_gate", FEED_FORWARD, WIDTH)
        noise(f"{block}.ffn_up", FEED_FORWARD, WIDTH)
        noise(f"{block}.ffn_down", WIDTH, FEED_FORWARD)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    write_model(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 4)
