#include "hip_version.h"
#include "hip.h"
#include <string.h>

int hip_major(void) {
    static _Atomic int known;
    int major = atomic_load_explicit(&known, memory_order_relaxed), version = 0;
    if (major)
        return major;
    int (*ask)(int *) = (int (*)(int *))hip_unrecorded("hipRuntimeGetVersion");
    bool told = ask && ask(&version) == 0 && version >= 10000000;
    major = told ? version / 10000000 : 6;
    atomic_store_explicit(&known, major, memory_order_relaxed);
    return major;
}

enum end { UNTOLD, HOST, DEVICE, ARRAY };

static enum end end_of(int memory_type) {
    static const unsigned char now[] = {[1] = HOST, [2] = DEVICE, [10] = ARRAY, [11] = DEVICE};
    static const unsigned char old[] = {HOST, DEVICE, ARRAY, DEVICE}; // of HIP 5
    bool is_old = hip_major() <= 5;
    unsigned number = (unsigned)memory_type;
    if (number >= (is_old ? sizeof old : sizeof now))
        return UNTOLD;
    return (enum end)(is_old ? old[number] : now[number]);
}

void *hip_end_base(int memory_type, void *host, void *device, void *array) {
    switch (end_of(memory_type)) {
    case HOST:
        return host;
    case DEVICE:
        return device;
    case ARRAY:
        return NULL;
    default:
        return array ? NULL : device ? device : host;
    }
}

bool hip_node_type_is(int type, int newer) {
    enum { COPY = 1, RECORD = 7, OLD_COPY_LINE = 9, OLD_COPY_TO_SYMBOL = 11 };
    if (type == newer || hip_major() > 5)
        return type == newer;
    // The first of HIP 5 count from 1, and have more types of copies.
    return (newer <= RECORD && type == newer + 1) ||
           (newer == COPY && type >= OLD_COPY_LINE && type <= OLD_COPY_TO_SYMBOL);
}

// hipDeviceProp_t has had two layouts, each with a function of its own since HIP 6. The older one
// was longer from version to version, behind what is read here.
enum { NAME_AT = 1160, OLD_NAME_AT = 396, MOST_PROPERTIES = 4096 };

bool hip_architectures(struct architectures *all) {
    typedef int (*asking)(void *, int);
    int (*count)(int *) = (int (*)(int *))hip_unrecorded("hipGetDeviceCount");
    asking ask = (asking)hip_unrecorded("hipGetDevicePropertiesR0600");
    size_t at = ask ? NAME_AT : OLD_NAME_AT;
    int devices = 0;
    if (!ask)
        ask = (asking)hip_unrecorded("hipGetDeviceProperties");
    if (!count || !ask || count(&devices) != 0)
        return false;
    for (int i = 0; i < devices; i++) {
        union {
            char bytes[MOST_PROPERTIES];
            size_t aligned;
        } properties;
        memset(&properties, 0, sizeof properties);
        if (ask(&properties, i) != 0 || !architecture_add(all, properties.bytes + at))
            return false;
    }
    return devices > 0;
}
