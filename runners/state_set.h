// A set of byte strings for model checking: one arena, one flat table, nothing is ever removed.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace thinair::runners {

/// Strings are kept one behind the other; a string's handle is where it begins.
class StateSet {
 public:
  struct Inserted {
    std::uint64_t handle = 0;
    bool is_new = false;
  };

  StateSet() : table_(1024, 0) {}

  Inserted insert(std::span<const std::uint8_t> bytes) {
    if ((size_ + 1) * 2 > table_.size()) grow();
    std::size_t slot = hash_of(bytes) & (table_.size() - 1);
    for (;; slot = (slot + 1) & (table_.size() - 1)) {
      if (table_[slot] == 0) {
        table_[slot] = append(bytes) + 1;
        ++size_;
        return {table_[slot] - 1, true};
      }
      if (equal(table_[slot] - 1, bytes)) return {table_[slot] - 1, false};
    }
  }

  std::span<const std::uint8_t> operator[](std::uint64_t handle) const {
    return {arena_.data() + handle + header, length_at(handle)};
  }

  std::uint64_t size() const { return size_; }
  std::uint64_t bytes() const { return arena_.size() + table_.size() * sizeof(std::uint64_t); }

 private:
  static constexpr std::size_t header = sizeof(std::uint32_t); // the length

  std::uint32_t length_at(std::uint64_t handle) const {
    std::uint32_t length = 0;
    std::memcpy(&length, arena_.data() + handle, header);
    return length;
  }

  std::uint64_t append(std::span<const std::uint8_t> bytes) {
    const std::uint64_t handle = arena_.size();
    const auto length = static_cast<std::uint32_t>(bytes.size());
    arena_.resize(arena_.size() + header + bytes.size());
    std::memcpy(arena_.data() + handle, &length, header);
    if (!bytes.empty()) std::memcpy(arena_.data() + handle + header, bytes.data(), bytes.size());
    return handle;
  }

  bool equal(std::uint64_t handle, std::span<const std::uint8_t> bytes) const {
    return length_at(handle) == bytes.size() &&
           (bytes.empty() ||
            std::memcmp(arena_.data() + handle + header, bytes.data(), bytes.size()) == 0);
  }

  static std::uint64_t hash_of(std::span<const std::uint8_t> bytes) {
    std::uint64_t hash = 0x9e3779b97f4a7c15U ^ bytes.size();
    for (std::size_t i = 0; i < bytes.size(); i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + i, bytes.size() - i < 8 ? bytes.size() - i : 8);
      hash = (hash ^ word) * 0xbf58476d1ce4e5b9U;
      hash ^= hash >> 32;
    }
    return hash;
  }

  void grow() {
    std::vector<std::uint64_t> old(table_.size() * 2, 0);
    old.swap(table_);
    for (const std::uint64_t entry : old) {
      if (entry == 0) continue;
      std::size_t slot = hash_of((*this)[entry - 1]) & (table_.size() - 1);
      while (table_[slot] != 0) slot = (slot + 1) & (table_.size() - 1);
      table_[slot] = entry;
    }
  }

  std::vector<std::uint8_t> arena_;
  std::vector<std::uint64_t> table_; // handle + 1; 0: free
  std::uint64_t size_ = 0;
};

} // namespace thinair::runners
