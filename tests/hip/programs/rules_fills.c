// Rules of memsets.
#include "rules.h"
#include <string.h>

static void a_memset_from_the_base_does_not_wait(void) {
    char *to = device_bytes(8, 0);
    hold(NULL, 0);
    OK(hipMemset(to, 1, 8));
    CHECK(stays(to, 0));
    open_gate(0);
    becomes(to, 1);
}
static void fill(void *to) { OK(hipMemset(to, 1, 4)); }
static void a_memset_with_an_offset_waits(void) {
    char *to = device_bytes(8, 0);
    hold(NULL, 0);
    must_block(fill, to + 4);
    CHECK(!to[3] && to[4] == 1);
}
static void a_memset_of_pinned_waits(void) {
    char *to = pinned_bytes(8, 0);
    hold(NULL, 0);
    must_block(fill, to);
    CHECK(*to == 1);
}
static void a_memset_async_never_waits(void) {
    hipStream_t s = non_blocking();
    char *to = device_bytes(16, 0);
    hold(s, 0);
    OK(hipMemsetAsync(to + 4, 1, 4, s));
    OK(hipMemsetD32Async(to + 8, 0x04030201, 1, s));
    OK(hipMemsetD16Async(to + 12, 0x0201, 1, s));
    OK(hipMemset2DAsync(to, 2, 7, 1, 2, s));
    open_gate(0);
    OK(hipStreamSynchronize(s));
    CHECK(!memcmp(to, "\7\0\7\0\1\1\1\1\1\2\3\4\1\2\0\0", 16));
    IS(hipMemsetAsync(to, 1, 17, s), hipErrorInvalidValue);
    IS(hipMemsetAsync(&to, 1, 1, s), hipErrorInvalidValue);
}

const struct rule fill_rules[] = {
    RULE(a_memset_from_the_base_does_not_wait),
    RULE(a_memset_with_an_offset_waits),
    RULE(a_memset_of_pinned_waits),
    RULE(a_memset_async_never_waits),
    {0},
};
