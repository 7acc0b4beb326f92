// What write tracking needs of linux/userfaultfd.h and linux/fs.h, whose older versions lack it.
// Source: the ABI of Linux 6.7, include/uapi/linux/{userfaultfd,fs}.h (numbers and layouts).
#pragma once
#include <stdint.h>
#include <sys/ioctl.h>

enum {
    TRACK_USER_MODE_ONLY = 1,    // flag of userfaultfd(2)
    TRACK_MODE_WP = 1 << 1,      // of a registration
    TRACK_WRITEPROTECT_ON = 1,   // as opposed to off
    TRACK_WRITTEN = 1 << 1,      // category of pages
    TRACK_SCAN_WP_MATCHING = 1,  // protect again what is told
    TRACK_SCAN_CHECK_WPASYNC = 2 // fail where memory is not tracked
};
#define TRACK_API 0xAAull
#define TRACK_FEATURE_WP (1ull << 0)
#define TRACK_FEATURE_WP_SHMEM (1ull << 12)
#define TRACK_FEATURE_WP_UNPOPULATED (1ull << 13)
#define TRACK_FEATURE_WP_ASYNC (1ull << 15)

struct track_api {
    uint64_t api, features, ioctls;
};
struct track_register {
    uint64_t start, size, mode, ioctls;
};
struct track_unregister {
    uint64_t start, size;
};
struct track_protect {
    uint64_t start, size, mode;
};
struct track_region {
    uint64_t start, end, categories;
};
struct track_scan {
    uint64_t size, flags, start, end, walk_end, regions, room, most_pages;
    uint64_t inverted, all_of, any_of, told;
};
#define TRACK_NEW _IO(0xAA, 0x00)
#define TRACK_SET_API _IOWR(0xAA, 0x3F, struct track_api)
#define TRACK_REGISTER _IOWR(0xAA, 0x00, struct track_register)
#define TRACK_UNREGISTER _IOR(0xAA, 0x01, struct track_unregister)
#define TRACK_PROTECT _IOWR(0xAA, 0x06, struct track_protect)
#define TRACK_SCAN _IOWR('f', 16, struct track_scan)
