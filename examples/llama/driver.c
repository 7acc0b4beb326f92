// Decodes a few tokens greedily with a prebuilt llama.cpp and prints their ids on one line.
//
//   driver MODEL LIBRARY_FOLDER TOKENS GPU_LAYERS [PROMPT_LENGTH]
//
// The prebuilt package ships no headers, so the few functions used are declared here. Their
// parameter structs are passed by value; of these only the fields below are touched, at the offsets
// of llama.h of llama.cpp v0.5.0 (ggml 0.25.1), and the room behind them is larger than any release
// needs: the callee reads its own size of it. That the offsets fit is checked before use: the
// defaults that the library fills in must be found where they are expected.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct model_params {
    void *devices, *overrides;
    int32_t n_gpu_layers; // default: negative (all)
    int32_t split_mode;   // default: 1 (layers)
    char rest[240];
};
struct context_params {
    uint32_t n_ctx;   // default: 512
    uint32_t n_batch; // default: 2048
    uint32_t n_ubatch;
    uint32_t n_seq_max; // default: 1
    uint32_t n_rs_seq, n_outputs_max, n_outputs_max_per_seq;
    int32_t n_threads, n_threads_batch; // default: 4
    char rest[476];
};
struct batch { // 56 bytes, so passed in memory like the structs above
    int32_t n_tokens;
    int32_t *token;
    float *embd;
    int32_t *pos, *n_seq_id;
    int32_t **seq_id;
    int8_t *logits;
};

extern void ggml_backend_load_all_from_path(const char *folder);
extern void llama_log_set(void (*log)(int, const char *, void *), void *data);
extern void llama_backend_init(void);
extern struct model_params llama_model_default_params(void);
extern struct context_params llama_context_default_params(void);
extern void *llama_model_load_from_file(const char *path, struct model_params params);
extern void *llama_init_from_model(void *model, struct context_params params);
extern struct batch llama_batch_get_one(int32_t *tokens, int32_t n_tokens);
extern int32_t llama_decode(void *context, struct batch batch);
extern float *llama_get_logits_ith(void *context, int32_t i);
extern void llama_free(void *context);
extern void llama_model_free(void *model);

enum { VOCABULARY = 256, MAX_PROMPT = 256, LOG_LEVEL_WARN = 3 };

static void log_warnings(int level, const char *text, void *data) {
    (void)data;
    if (level >= LOG_LEVEL_WARN && level <= LOG_LEVEL_WARN + 1)
        fputs(text, stderr);
}

static void fail(const char *what) {
    fprintf(stderr, "driver: %s\n", what);
    exit(1);
}

static int32_t largest(const float *logits) {
    int32_t best = 0;
    for (int32_t i = 1; i < VOCABULARY; i++)
        if (logits[i] > logits[best])
            best = i;
    return best;
}

static void *open_model(const char *path, int gpu_layers) {
    struct model_params params = llama_model_default_params();
    if (params.n_gpu_layers >= 0 || params.split_mode != 1)
        fail("this llama.cpp has another model_params layout than v0.5.0");
    params.n_gpu_layers = gpu_layers;
    void *model = llama_model_load_from_file(path, params);
    if (!model)
        fail("cannot load the model");
    return model;
}

static void *open_context(void *model) {
    struct context_params params = llama_context_default_params();
    if (params.n_ctx != 512 || params.n_batch != 2048 || params.n_seq_max != 1)
        fail("this llama.cpp has another context_params layout than v0.5.0");
    params.n_threads = params.n_threads_batch = 1;
    void *context = llama_init_from_model(model, params);
    if (!context)
        fail("cannot make a context");
    return context;
}

int main(int argc, char **argv) {
    if (argc < 5)
        fail("usage: driver MODEL LIBRARY_FOLDER TOKENS GPU_LAYERS [PROMPT_LENGTH]");
    int count = atoi(argv[3]), length = argc > 5 ? atoi(argv[5]) : 4;
    if (length < 1 || length > MAX_PROMPT)
        fail("the prompt must have 1 to 256 tokens");
    llama_log_set(log_warnings, NULL);
    ggml_backend_load_all_from_path(argv[2]);
    llama_backend_init();
    void *model = open_model(argv[1], atoi(argv[4]));
    void *context = open_context(model);

    int32_t tokens[MAX_PROMPT];
    for (int i = 0; i < length; i++)
        tokens[i] = (i * 37 + 11) % VOCABULARY;
    for (int i = 0; i < count; i++) {
        if (llama_decode(context, llama_batch_get_one(tokens, length)) != 0)
            fail("decode failed");
        tokens[0] = largest(llama_get_logits_ith(context, -1));
        length = 1;
        printf(i ? " %d" : "%d", tokens[0]);
    }
    putchar('\n');
    llama_free(context);
    llama_model_free(model);
    return 0;
}
