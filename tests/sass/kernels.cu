#include <stdio.h>
#include <stdint.h>
struct packed { const float *in; int n; float *out; float scale; };
struct table { float *at[8]; };
struct stale { float *used; float *ignored[6]; };
extern "C" {
__global__ void scale(const float *in, float *out, float by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * by;
}
__global__ void in_place(float *data, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] += 1;
}
__global__ void by_struct(packed p) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < p.n) p.out[i] = p.in[i] * p.scale;
}
__global__ void total(const float *in, float *sum, int n) {
    float s = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) s += in[i];
    atomicAdd(sum, s);
}
__global__ void counts(const int *in, int *bins, int *old, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) old[i] = atomicAdd(&bins[in[i] & 63], 1);
}
__global__ void table_at(table t, int k, float v) { t.at[k][threadIdx.x] = v; }
__global__ void pointers(float **of, int n) { for (int i = 0; i < n; i++) of[i][threadIdx.x] = 1; }
__global__ void stale_words(stale s, float v) { s.used[threadIdx.x] = v; }
__global__ void unused(const float *a, float *b, int n) { if (n == 12345) b[0] = 1; }
__global__ void choose(float *a, float *b, const float *in, int which) {
    float *to = which ? a : b;
    to[threadIdx.x] = in[threadIdx.x];
}
__global__ void spilled(float *a, float *b, const float *c, int k) {
    float *local[3] = {a, b, (float *)c};
    local[k][threadIdx.x] = 1;
}
__global__ void through_shared(float *a, const float *b) {
    __shared__ float *p;
    if (threadIdx.x == 0) p = a;
    __syncthreads();
    p[threadIdx.x] = b[threadIdx.x];
}
__device__ __noinline__ void helper(float *p, float v) { p[threadIdx.x] = v; asm volatile(""); }
__global__ void calls(float *a, const float *b) { helper(a, b[threadIdx.x]); helper(a + 100, 2); }
typedef void (*fn)(float *, float);
__device__ fn chosen;
__global__ void indirect(float *a, const float *b) { chosen(a, b[threadIdx.x]); }
__global__ void copy4(const float4 *in, float4 *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
__global__ void half_sum(const short *in, unsigned char *out, long n) {
    long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] + in[n - i];
}
__global__ void stored_pointer(float **out, float *p) { out[0] = p; }
__global__ void async_copy(const float *in, float *out) {
    __shared__ float s[256];
    unsigned a = __cvta_generic_to_shared(&s[threadIdx.x]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(a), "l"(in + threadIdx.x));
    asm volatile("cp.async.wait_all;");
    __syncthreads();
    out[threadIdx.x] = s[255 - threadIdx.x];
}
__global__ void waits(const float *in, float *out) {
    asm volatile("griddepcontrol.wait;" ::: "memory");
    out[threadIdx.x] = in[threadIdx.x];
    asm volatile("griddepcontrol.launch_dependents;");
}
__global__ void locked(int *lock, float *data) {
    while (atomicCAS(lock, 0, 1)) ;
    data[0] += 1;
    atomicExch(lock, 0);
}
__global__ void swizzle(const float *in, float *out, int w, int h) {
    __shared__ float t[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) t[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x; y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8) out[(y + j) * h + x] = t[threadIdx.x][threadIdx.y + j];
}
__global__ void aligned_ptr(char *p, int v) { p = (char *)(((uintptr_t)p + 127) & ~(uintptr_t)127); p[threadIdx.x] = v; }
__global__ void difference(float *a, float *b, const float *c) { long d = (char *)b - (char *)a; ((float *)((char *)a + d))[threadIdx.x] = c[threadIdx.x]; }
__global__ void xored(uintptr_t a, uintptr_t b) { *(float *)(a ^ b) = 1; }
__global__ void prints(const float *a) { printf("%f", a[0]); }
}
struct alignas(64) map { unsigned long long w[16]; };
extern "C" __global__ void tma_load(const __grid_constant__ map m, float *out) {
    __shared__ alignas(128) float s[1024];
    __shared__ unsigned long long bar;
    unsigned b = __cvta_generic_to_shared(&bar), d = __cvta_generic_to_shared(s);
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b));
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(4096));
        asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(d), "l"(&m), "r"(0), "r"(b) : "memory");
    }
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
extern "C" __global__ void tma_store(const float *in, const __grid_constant__ map m) {
    __shared__ alignas(128) float s[1024];
    unsigned d = __cvta_generic_to_shared(s);
    s[threadIdx.x] = in[threadIdx.x];
    asm volatile("fence.proxy.async.shared::cta;");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%0, {%1}], [%2];" ::"l"(&m), "r"(0), "r"(d) : "memory");
        asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;");
    }
}
extern "C" __global__ void bulk(const float *in, float *out) {
    __shared__ alignas(128) float s[1024];
    unsigned d = __cvta_generic_to_shared(s);
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 4096;" ::"l"(out), "r"(d) : "memory");
}
