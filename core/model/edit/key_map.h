#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace iosx {

// Items by ascending key, in one sorted vector: new keys are the largest, and copying is cheap.
template <typename Key, typename Item>
class KeyMap {
 public:
  using Entry = std::pair<Key, Item>;

  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  // By position, 0 to size().
  const Entry& operator[](std::size_t position) const { return entries_[position]; }

  // Null for an unknown key.
  const Item* find(Key key) const {
    const std::size_t at = position(key);
    return at < entries_.size() ? &entries_[at].second : nullptr;
  }
  bool contains(Key key) const { return find(key) != nullptr; }
  // size() for an unknown key.
  std::size_t position(Key key) const {
    const auto at = lower(entries_, key);
    const bool found = at != entries_.end() && at->first == key;
    return found ? static_cast<std::size_t>(at - entries_.begin()) : entries_.size();
  }

  void set(Key key, Item item) {
    if (entries_.empty() || entries_.back().first < key) return void(entries_.emplace_back(key, std::move(item)));
    const auto at = lower(entries_, key);
    if (at->first == key) {
      at->second = std::move(item);
    } else {
      entries_.emplace(at, key, std::move(item));
    }
  }
  void erase(Key key) {
    const std::size_t at = position(key);
    if (at < entries_.size()) entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(at));
  }
  template <typename Predicate>
  void erase_if(Predicate predicate) {
    std::erase_if(entries_, predicate);
  }

 private:
  static auto lower(auto& entries, Key key) {
    return std::lower_bound(entries.begin(), entries.end(), key,
                            [](const Entry& entry, Key wanted) { return entry.first < wanted; });
  }

  std::vector<Entry> entries_;
};

}  // namespace iosx
