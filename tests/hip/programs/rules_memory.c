// Rules of memory: what a free waits for, what becomes of the bytes, what an address is said to be.
#include "rules.h"
#include <string.h>

static void free_device(void *bytes) { OK(hipFree(bytes)); }
static void free_from_afar(void *bytes) {
    OK(hipSetDevice(1));
    OK(hipFree(bytes));
}
static void free_pinned(void *bytes) { OK(hipHostFree(bytes)); }
static void unregister_from_afar(void *bytes) {
    OK(hipSetDevice(1));
    OK(hipHostUnregister(bytes));
}

static void free_waits_for_all_of_its_device(void) {
    hold(non_blocking(), 0);
    must_block(free_device, device_bytes(8, 0));
}
static void free_waits_for_no_other_device(void) {
    hold(non_blocking(), 0);
    OK(hipSetDevice(1));
    OK(hipFree(device_bytes(8, 0)));
    char *host = pinned_bytes(8, 0);
    OK(hipHostFree(host));
}
static void free_waits_for_where_it_was_allocated(void) {
    char *bytes = device_bytes(8, 0);
    hold(non_blocking(), 0);
    must_block(free_from_afar, bytes);
}
static void host_free_waits(void) {
    hold(non_blocking(), 0);
    must_block(free_pinned, pinned_bytes(8, 0));
}
static void unregister_waits(void) {
    static char bytes[8];
    OK(hipHostRegister(bytes, 8, 0));
    hold(non_blocking(), 0);
    must_block(unregister_from_afar, bytes);
}

static void malloc_waits_for_nothing(void) {
    void *bytes;
    hold(NULL, 0);
    OK(hipMalloc(&bytes, 1 << 20));
    OK(hipHostMalloc(&bytes, 1 << 20, 0));
    OK(hipMallocManaged(&bytes, 1 << 20, hipMemAttachGlobal));
}

static void freed_bytes_are_overwritten_and_used_again(void) {
    char *first = device_bytes(64, 1);
    OK(hipFree(first));
    CHECK(*first != 1);
    char *second = device_bytes(64, 2);
    CHECK(second == first);
}
static void frees_are_checked(void) {
    char here, *bytes = device_bytes(64, 0), *host = pinned_bytes(64, 0);
    OK(hipFree(NULL));
    IS(hipFree(&here), hipErrorInvalidValue);
    IS(hipFree(bytes + 1), hipErrorInvalidValue);
    IS(hipFree(host), hipErrorInvalidValue);
    IS(hipHostFree(bytes), hipErrorInvalidValue);
    OK(hipFree(bytes));
    IS(hipFree(bytes), hipErrorInvalidValue);
}

static void addresses_are_known(void) {
    OK(hipSetDevice(1));
    char here, *bytes = device_bytes(64, 0), *host = pinned_bytes(64, 0);
    void *managed;
    hipPointerAttribute_t what;
    OK(hipMallocManaged(&managed, 64, hipMemAttachGlobal));
    OK(hipSetDevice(0));
    OK(hipPointerGetAttributes(&what, bytes + 5));
    CHECK(what.type == hipMemoryTypeDevice && what.device == 1 && what.devicePointer == bytes + 5);
    OK(hipPointerGetAttributes(&what, host));
    CHECK(what.type == hipMemoryTypeHost && what.hostPointer == host);
    OK(hipPointerGetAttributes(&what, managed));
    CHECK(what.type == hipMemoryTypeManaged && what.isManaged);
    OK(hipPointerGetAttributes(&what, &here));
    CHECK(what.type == hipMemoryTypeUnregistered);
    void *base = NULL, *mapped = NULL;
    size_t size = 0;
    int device = -1;
    OK(hipMemGetAddressRange(&base, &size, bytes + 63));
    CHECK(base == bytes && size == 64);
    IS(hipMemGetAddressRange(&base, &size, bytes + 64), hipErrorNotFound);
    OK(hipPointerGetAttribute(&device, HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL, bytes));
    CHECK(device == 1);
    OK(hipHostGetDevicePointer(&mapped, host, 0));
    CHECK(mapped == host);
}

static void memory_runs_out(void) {
    size_t unused, total, after;
    void *bytes;
    OK(hipMemGetInfo(&unused, &total));
    IS(hipMalloc(&bytes, total + 1), hipErrorOutOfMemory);
    CHECK(!bytes);
    OK(hipMalloc(&bytes, 1 << 20));
    OK(hipMemGetInfo(&after, &total));
    CHECK(after == unused - (1 << 20));
    OK(hipMalloc(&bytes, 0));
    CHECK(!bytes);
}

static void pitches_are_wide_enough(void) {
    void *bytes;
    size_t pitch = 0;
    hipPitchedPtr pitched;
    OK(hipMallocPitch(&bytes, &pitch, 100, 3));
    CHECK(pitch >= 100);
    OK(hipMalloc3D(&pitched, (hipExtent){100, 3, 2}));
    OK(hipMemset3D(pitched, 1, (hipExtent){100, 3, 2}));
    OK(hipDeviceSynchronize());
    CHECK(((char *)pitched.ptr)[pitched.pitch * 5 + 99] == 1);
}

static void handles_mean_the_memory(void) {
    char *bytes = device_bytes(64, 1);
    void *opened;
    hipIpcMemHandle_t handle, none = {{0}};
    OK(hipIpcGetMemHandle(&handle, bytes + 8));
    OK(hipIpcOpenMemHandle(&opened, handle, 1));
    CHECK(*(char *)opened == 1);
    IS(hipIpcOpenMemHandle(&opened, none, 1), hipErrorInvalidValue);
    OK(hipIpcCloseMemHandle(opened));
    OK(hipFree(bytes));
    IS(hipIpcOpenMemHandle(&opened, handle, 1), hipErrorInvalidValue);
}
static void close_handle(void *bytes) { OK(hipIpcCloseMemHandle(bytes)); }
static void closing_a_handle_waits(void) {
    hold(non_blocking(), 0);
    must_block(close_handle, device_bytes(8, 0));
}

static void mapped_memory_is_device_memory(void) {
    hipMemAllocationProp prop = {.type = 1, .location = {hipMemLocationTypeDevice, 1}};
    hipMemAccessDesc access = {{hipMemLocationTypeDevice, 1}, 3};
    hipMemGenericAllocationHandle_t handle, again;
    size_t size = 0;
    void *at;
    OK(hipMemGetAllocationGranularity(&size, &prop, 1));
    OK(hipMemAddressReserve(&at, 2 * size, 0, NULL, 0));
    OK(hipMemCreate(&handle, size, &prop, 0));
    OK(hipMemMap(at, size, 0, handle, 0));
    OK(hipMemSetAccess(at, size, &access, 1));
    OK(hipMemcpy(at, "abc", 4, hipMemcpyHostToDevice));
    hipPointerAttribute_t what;
    OK(hipPointerGetAttributes(&what, at));
    CHECK(what.type == hipMemoryTypeDevice && what.device == 1 && !strcmp(at, "abc"));
    IS(hipFree(at), hipErrorInvalidValue);
    OK(hipMemRetainAllocationHandle(&again, at));
    CHECK(again == handle);
    OK(hipMemUnmap(at, size));
    OK(hipMemMap((char *)at + size, size, 0, handle, 0)); // the bytes stay with the handle
    OK(hipMemSetAccess((char *)at + size, size, &access, 1));
    CHECK(!strcmp((char *)at + size, "abc"));
    OK(hipMemUnmap(at + size, size));
    OK(hipMemRelease(again));
    OK(hipMemRelease(handle));
    OK(hipMemAddressFree(at, 2 * size));
}

static char symbol[16]; // a shadow, as the compiler makes one
static void symbols_have_bytes_on_each_device(void) {
    void *one, *two;
    char back[4] = {0};
    size_t size = 0;
    __hipRegisterVar(NULL, symbol, "symbol", "symbol", 0, sizeof symbol, 0, 0);
    OK(hipGetSymbolAddress(&one, symbol));
    OK(hipGetSymbolSize(&size, symbol));
    CHECK(size == sizeof symbol);
    OK(hipMemcpyToSymbol(symbol, "abc", 4, 8, hipMemcpyHostToDevice));
    OK(hipMemcpyFromSymbol(back, symbol, 4, 8, hipMemcpyDeviceToHost));
    CHECK(!strcmp(back, "abc") && !strcmp((char *)one + 8, "abc"));
    IS(hipMemcpyToSymbol(symbol, "abc", 4, 14, hipMemcpyHostToDevice), hipErrorInvalidValue);
    IS(hipGetSymbolAddress(&one, back), hipErrorInvalidSymbol);
    OK(hipSetDevice(1));
    OK(hipGetSymbolAddress(&two, symbol));
    CHECK(one != two);
}

const struct rule memory_rules[] = {
    RULE(free_waits_for_all_of_its_device),
    RULE(free_waits_for_no_other_device),
    RULE(free_waits_for_where_it_was_allocated),
    RULE(host_free_waits),
    RULE(unregister_waits),
    RULE(malloc_waits_for_nothing),
    RULE(freed_bytes_are_overwritten_and_used_again),
    RULE(frees_are_checked),
    RULE(addresses_are_known),
    RULE(memory_runs_out),
    RULE(pitches_are_wide_enough),
    RULE(handles_mean_the_memory),
    RULE(closing_a_handle_waits),
    RULE(mapped_memory_is_device_memory),
    RULE(symbols_have_bytes_on_each_device),
    {0},
};
