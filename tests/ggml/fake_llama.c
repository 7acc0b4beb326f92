// A stand-in for libllama.so and a program that decodes: the batch goes by value, in the size of
// today's releases, which is not the size that the recorder takes and passes on (ggml_abi.h).
#include <stdint.h>

struct llama_batch {
    int32_t n_tokens;
    uint64_t fields[6];
};

int32_t llama_decode(void *context, struct llama_batch batch);
void decodes(int count);

// The tokens, if the batch came through whole.
int32_t llama_decode(void *context, struct llama_batch batch) {
    for (uint64_t i = 0; i < 6; i++)
        if (batch.fields[i] != (uintptr_t)context + i)
            return -1;
    return batch.n_tokens;
}

void decodes(int count) {
    for (int i = 0; i < count; i++)
        llama_decode((void *)7, (struct llama_batch){i, {7, 8, 9, 10, 11, 12}});
}
