// Things that are dear to make and serve one thread at a time, as compilers.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace thinair::campaign {

template <class T>
class Pool {
 public:
  explicit Pool(std::function<T()> make) : make_(std::move(make)) {}

  /// Calls `use` with one that nobody else uses meanwhile; it is kept even where `use` throws.
  template <class Use>
  auto with_one(Use&& use) {
    struct Lent {
      Pool& pool;
      std::unique_ptr<T> one;
      ~Lent() { pool.give_back(std::move(one)); }
    } const lent{*this, borrow()};
    return std::forward<Use>(use)(*lent.one);
  }

 private:
  std::unique_ptr<T> borrow() {
    {
      const std::scoped_lock guard(mutex_);
      if (!idle_.empty()) {
        auto one = std::move(idle_.back());
        idle_.pop_back();
        return one;
      }
    }
    return std::make_unique<T>(make_());
  }

  void give_back(std::unique_ptr<T> one) {
    const std::scoped_lock guard(mutex_);
    idle_.push_back(std::move(one));
  }

  std::function<T()> make_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> idle_;
};

} // namespace thinair::campaign
