// Memory that is recycled by class and given back at the end, all at once.
#pragma once
#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace synctrace {

// Blocks of one class all have the same size, at least that of a pointer.
class Pool {
  public:
    Pool() = default;
    Pool(const Pool &) = delete;
    Pool &operator=(const Pool &) = delete;
    ~Pool() {
        for (void *block : blocks_)
            std::free(block);
    }
    void *take(unsigned type, size_t bytes) {
        if (void *block = free_[type]) {
            free_[type] = *static_cast<void **>(block);
            return block;
        }
        if (bytes > BLOCK / 4)
            return allocate(bytes);
        if (left_ < bytes) {
            next_ = static_cast<char *>(allocate(BLOCK));
            left_ = BLOCK;
        }
        void *block = next_;
        next_ += bytes;
        left_ -= bytes;
        return block;
    }
    void give(unsigned type, void *block) {
        *static_cast<void **>(block) = free_[type];
        free_[type] = block;
    }

  private:
    static constexpr size_t BLOCK = 1 << 18;
    void *allocate(size_t bytes) {
        blocks_.push_back(nullptr);
        blocks_.back() = std::malloc(bytes);
        if (!blocks_.back())
            throw std::bad_alloc();
        return blocks_.back();
    }
    void *free_[64] = {};
    std::vector<void *> blocks_;
    char *next_ = nullptr;
    size_t left_ = 0;
};

} // namespace synctrace
