// A table by timeline, as clocks are: nothing where nothing was written.
//
// The first NEAR components lie side by side, which is all that most traces have. Behind them are
// pages, made when one of their components is written: of thousands of timelines each mostly knows
// few others.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace synctrace {

template <class T> class Components {
  public:
    // From here on [t] can be written.
    void cover(uint32_t t) {
        if (t >= near_.size())
            grow(t);
    }
    T &operator[](uint32_t t) { return t < NEAR ? near_[t] : page(t)[(t - NEAR) % PAGE]; }
    const T &at(uint32_t t) const { return t < near_.size() ? near_[t] : far(t); }

  private:
    static constexpr size_t NEAR = 1024, PAGE = 64;
    [[gnu::noinline]] void grow(uint32_t t) {
        if (t < NEAR) {
            const size_t wanted = std::max(size_t{t} + 1, near_.size() * 3 / 2);
            near_.resize(std::min(NEAR, (wanted + PAGE - 1) / PAGE * PAGE));
        } else if (!page(t)) {
            const size_t number = (t - NEAR) / PAGE;
            pages_.resize(std::max(pages_.size(), number + 1));
            pages_[number] = std::make_unique<T[]>(PAGE);
        }
    }
    [[gnu::noinline]] const T &far(uint32_t t) const {
        static const T nothing{};
        const T *found = t < NEAR ? nullptr : page(t);
        return found ? found[(t - NEAR) % PAGE] : nothing;
    }
    T *page(uint32_t t) const {
        const size_t number = (t - NEAR) / PAGE;
        return number < pages_.size() ? pages_[number].get() : nullptr;
    }
    std::vector<T> near_;
    std::vector<std::unique_ptr<T[]>> pages_;
};

} // namespace synctrace
