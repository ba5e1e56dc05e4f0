#include "core/model/edit/edit_index.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace iosx {

EditIndex::EditIndex(const EditableGraph& graph) : graph_(&graph) {
  const std::size_t count = size();
  first_producer_.reserve(count + 1);
  first_reader_.assign(count + 1, 0);
  units_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    first_producer_.push_back(producers_.size());
    for (const EditInput& input : op(i).inputs) {
      const std::size_t producer = input.open() ? count : position(input.producer);
      producers_.push_back(producer < count ? producer : kNone);
      if (producer < count) ++first_reader_[producer + 1];
    }
    const std::size_t unit = graph.units().position(op(i).unit);
    units_.push_back(op(i).is_source() || unit == graph.units().size() ? kNone : unit);
  }
  first_producer_.push_back(producers_.size());
  for (std::size_t i = 0; i < count; ++i) first_reader_[i + 1] += first_reader_[i];
  readers_.resize(first_reader_.back());
  std::vector<std::size_t> next(first_reader_.begin(), first_reader_.end() - 1);
  for (std::size_t i = 0; i < count; ++i) {
    for (const std::size_t producer : producers(i)) {
      if (producer != kNone) readers_[next[producer]++] = i;
    }
  }
}

std::vector<std::size_t> EditIndex::order() const {
  std::vector<std::size_t> waits(size(), 0);
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t i = 0; i < size(); ++i) {
    for (const std::size_t producer : producers(i)) waits[i] += producer != kNone ? 1 : 0;
    if (waits[i] == 0) ready.push(i);
  }
  std::vector<std::size_t> order;
  order.reserve(size());
  while (!ready.empty()) {
    const std::size_t next = ready.top();
    ready.pop();
    order.push_back(next);
    for (const std::size_t reader : readers(next)) {
      if (--waits[reader] == 0) ready.push(reader);
    }
  }
  return order;
}

std::vector<std::size_t> EditIndex::path(std::size_t from, std::size_t to) const {
  std::vector<std::size_t> came_from(size(), kNone);
  std::vector<std::size_t> seen{from};
  came_from[from] = from;
  for (std::size_t next = 0; next < seen.size() && came_from[to] == kNone; ++next) {
    for (const std::size_t reader : readers(seen[next])) {
      if (came_from[reader] != kNone) continue;
      came_from[reader] = seen[next];
      seen.push_back(reader);
    }
  }
  if (came_from[to] == kNone) return {};
  std::vector<std::size_t> path{to};
  while (path.back() != from) path.push_back(came_from[path.back()]);
  std::ranges::reverse(path);
  return path;
}

}  // namespace iosx
