// Modules that are loaded by the name of their file.
#include "kernel_registry.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static bool read_whole(int fd, uint8_t *to, size_t size) {
    while (size) {
        ssize_t n = read(fd, to, size);
        if (n <= 0)
            return false;
        to += n;
        size -= (size_t)n;
    }
    return true;
}

// Copied: a file that is mapped and cut meanwhile would kill the program.
void module_loaded_file(void *module, const char *path) {
    int error = errno, fd = open(path, O_RDONLY | O_CLOEXEC);
    off_t end = fd >= 0 ? lseek(fd, 0, SEEK_END) : 0;
    size_t size = end > 0 && lseek(fd, 0, SEEK_SET) == 0 ? (size_t)end : 0;
    void *file = size ? mmap(NULL, size, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                      : MAP_FAILED;
    if (file != MAP_FAILED) {
        if (read_whole(fd, file, size))
            module_loaded(module, file, size);
        munmap(file, size);
    }
    if (fd >= 0)
        close(fd);
    errno = error;
}
