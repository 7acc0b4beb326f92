#include "clock.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static bool kernel_trusts_ticks(void) {
#ifdef __x86_64__
    static const char path[] = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    char name[8] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t length = read(fd, name, sizeof name - 1);
    close(fd);
    return length >= 3 && memcmp(name, "tsc", 3) == 0;
#else
    return false;
#endif
}

void clock_tell(void) {
    struct control *control = process.control;
    if (!process.ticks)
        return;
    uint64_t version = atomic_load(&control->clock_version);
    if (version & 1 ||
        !atomic_compare_exchange_strong(&control->clock_version, &version, version + 1))
        return; // another thread does
    int64_t before = clock_now(), ns = now_ns(), after = clock_now();
    int64_t ticks = before + (after - before) / 2;
    atomic_store(&control->clock_ns, ns);
    atomic_store(&control->clock_ticks, ticks);
    if (version == 0) {
        atomic_store(&control->clock_ns_first, ns);
        atomic_store(&control->clock_ticks_first, ticks);
    }
    atomic_store(&control->clock_version, version + 2);
}

void clock_start(void) {
    process.ticks = kernel_trusts_ticks();
    clock_tell();
}
