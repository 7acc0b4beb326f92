// A small llama.cpp program: greedy tokens from a fixed prompt, on an unmodified prebuilt library.
//
//     driver LIBDIR MODEL GPU_LAYERS TOKENS [PROMPT [UBATCH]]
//
// Prints the token ids and a digest of the logits, so that two runs can be compared to the bit;
// with DRIVER_TIMES also the time of the prompt and the median of a token's, to stderr. With
// DRIVER_TURNS it does so once for each line of the input, from an empty context, and prints the
// digest, then the ns of the prompt and of each token. It carries
// no llama.cpp header. Parameter structs are taken from the library's own defaults into roomy
// blocks and only fields whose place is certain are changed; on x86-64 a struct larger than the
// callee's is passed alike, since it is the last thing on the stack.
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct params {
    int32_t word[128];
};

struct batch { // llama_batch, public and stable
    int32_t n_tokens;
    int32_t *token;
    float *embd;
    int32_t *pos;
    int32_t *n_seq_id;
    int32_t **seq_id;
    int8_t *logits;
};

enum { VOCABULARY = 256, MODEL_GPU_LAYERS = 4, CTX = 0, CTX_BATCH = 1, CTX_UBATCH = 2 };

static void *library;

static void *must(const char *name) {
    void *symbol = dlsym(library, name);
    if (!symbol) {
        fprintf(stderr, "driver: the library has no %s\n", name);
        exit(2);
    }
    return symbol;
}

// By its name in the npm package, else by its own.
static void *open_library(const char *folder, const char *name, int visibility) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.vulkan.v0.5.0.so", folder, name);
    void *handle = dlopen(path, RTLD_NOW | visibility);
    if (!handle) {
        snprintf(path, sizeof path, "%s/%s.so", folder, name);
        handle = dlopen(path, RTLD_NOW | visibility);
    }
    if (!handle) {
        fprintf(stderr, "driver: %s\n", dlerror());
        exit(2);
    }
    return handle;
}

// n_threads and n_threads_batch are the one pair of fours among the first words of the defaults.
static void one_thread(struct params *context) {
    for (int i = 3; i < 16; i++)
        if (context->word[i] == 4 && context->word[i + 1] == 4) {
            context->word[i] = context->word[i + 1] = 1;
            return;
        }
}

static void quiet(int level, const char *text, void *user) {
    (void)user;
    if (getenv("DRIVER_VERBOSE") || level == 4)
        fputs(text, stderr);
}

static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static int by_value(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t digest(uint64_t h, const float *values, int n) {
    const unsigned char *bytes = (const unsigned char *)values;
    for (size_t i = 0; i < n * sizeof *values; i++)
        h = (h ^ bytes[i]) * 1099511628211ull;
    return h;
}

struct run {
    void *context;
    struct batch batch;
    int prompt, tokens;
    int64_t *took; // ns: the prompt, then each token
};

// From an empty context; a digest of all logits.
static uint64_t generate(const struct run *run, bool print) {
    int32_t (*decode)(void *, struct batch) =
        (int32_t(*)(void *, struct batch))must("llama_decode");
    float *(*logits_of)(void *, int32_t) =
        (float *(*)(void *, int32_t))must("llama_get_logits_ith");
    struct batch b = run->batch;
    uint64_t hash = 1469598103934665603ull;
    int position = 0;
    b.n_tokens = run->prompt;
    for (int i = 0; i < run->prompt; i++)
        b.token[i] = (i * 37 + 11) % VOCABULARY;
    for (int step = 0; step <= run->tokens; step++) {
        const int64_t start = now_ns();
        for (int i = 0; i < b.n_tokens; i++) {
            b.pos[i] = position++;
            b.n_seq_id[i] = 1;
            b.seq_id[i][0] = 0;
            b.logits[i] = i == b.n_tokens - 1;
        }
        if (decode(run->context, b)) {
            fprintf(stderr, "driver: llama_decode failed\n");
            exit(3);
        }
        const float *logits = logits_of(run->context, b.n_tokens - 1);
        run->took[step] = now_ns() - start;
        hash = digest(hash, logits, VOCABULARY);
        int best = 0;
        for (int i = 1; i < VOCABULARY; i++)
            if (logits[i] > logits[best])
                best = i;
        if (print && step < run->tokens)
            printf("%d ", best);
        b.n_tokens = 1;
        b.token[0] = best;
    }
    return hash;
}

static void in_turns(const struct run *run) {
    void *memory = ((void *(*)(void *))must("llama_get_memory"))(run->context);
    void (*clear)(void *, bool) = (void (*)(void *, bool))must("llama_memory_clear");
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        clear(memory, true);
        printf("%016llx", (unsigned long long)generate(run, false));
        for (int step = 0; step <= run->tokens; step++)
            printf(" %lld", (long long)run->took[step]);
        printf("\n");
        fflush(stdout);
    }
}

int main(int argc, char **argv) {
    if (argc < 5) {
        fprintf(stderr, "usage: driver LIBDIR MODEL GPU_LAYERS TOKENS [PROMPT [UBATCH]]\n");
        return 2;
    }
    const int gpu_layers = atoi(argv[3]), tokens = atoi(argv[4]);
    const int prompt = argc > 5 ? atoi(argv[5]) : 8, ubatch = argc > 6 ? atoi(argv[6]) : 64;
    const int visibility = getenv("DRIVER_LOCAL") ? RTLD_LOCAL : RTLD_GLOBAL;

    library = open_library(argv[1], "libllama", visibility);
    void *backends = open_library(argv[1], "libggml", visibility);
    void (*load)(const char *) =
        (void (*)(const char *))dlsym(backends, "ggml_backend_load_all_from_path");
    if (!load) {
        fprintf(stderr, "driver: the library has no ggml_backend_load_all_from_path\n");
        return 2;
    }
    ((void (*)(void (*)(int, const char *, void *), void *))must("llama_log_set"))(quiet, NULL);
    load(argv[1]);
    ((void (*)(void))must("llama_backend_init"))();

    struct params model_params = ((struct params(*)(void))must("llama_model_default_params"))();
    model_params.word[MODEL_GPU_LAYERS] = gpu_layers;
    void *model = ((void *(*)(const char *, struct params))must("llama_model_load_from_file"))(
        argv[2], model_params);
    if (!model)
        return 3;
    struct params context_params = ((struct params(*)(void))must("llama_context_default_params"))();
    context_params.word[CTX] = 512;
    context_params.word[CTX_BATCH] = 256;
    context_params.word[CTX_UBATCH] = ubatch;
    one_thread(&context_params);
    void *context =
        ((void *(*)(void *, struct params))must("llama_init_from_model"))(model, context_params);
    if (!context)
        return 3;

    struct batch (*batch_init)(int32_t, int32_t, int32_t) =
        (struct batch(*)(int32_t, int32_t, int32_t))must("llama_batch_init");
    int64_t *took = calloc((size_t)tokens + 1, sizeof *took);
    const struct run run = {context, batch_init(256, 0, 1), prompt, tokens, took};
    if (getenv("DRIVER_TURNS")) {
        in_turns(&run);
    } else {
        printf("\nlogits %016llx\n", (unsigned long long)generate(&run, true));
    }
    if (getenv("DRIVER_TIMES") && tokens) {
        qsort(took + 1, (size_t)tokens, sizeof *took, by_value);
        fprintf(stderr, "prompt %lld ns, token %lld ns\n", (long long)took[0],
                (long long)took[1 + tokens / 2]);
    }
    ((void (*)(void *))must("llama_free"))(context);
    ((void (*)(void *))must("llama_model_free"))(model);
    return 0;
}
