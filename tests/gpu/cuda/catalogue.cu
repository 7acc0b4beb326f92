// The kernels of tests/hip/programs/kernels.c as a GPU runs them: over WORDS words, one a thread.
enum { WORDS = 1024, PARTS = 80 };
struct parts {
    const unsigned *of[PARTS];
};

static __device__ unsigned number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void fill(unsigned *out, unsigned value) { out[number()] = value; }
__global__ void pass(const unsigned *in, unsigned *out) { out[number()] = in[number()]; }
__global__ void add(unsigned *data, unsigned value) { data[number()] += value; }
__global__ void clear_pages(const unsigned *pages, unsigned *memory) {
    memory[pages[number()] * WORDS + number()] = 0;
}
__global__ void busy(unsigned us) {
    unsigned long long now, end;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end));
    end += us * 1000ull;
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (number() == 0 && now < end);
}
__global__ void gather(parts from, unsigned *out) {
    if (number() < PARTS && from.of[number()])
        out[number()] = *from.of[number()];
}
