// How host memory in use is watched, as `record --watch` asks.
#pragma once

enum watch {
    WATCH_DIGEST,  // bytes are compared
    WATCH_TRACK,   // of large ranges, the kernel tells which pages were written
    WATCH_PROTECT, // pages are made read-only, and who writes is told with its call site
    WATCH_OFF,
};
extern enum watch watch;
