#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/model/edit/editable_graph.h"

namespace iosx {

// The operators of an editable graph by position, in key order, with their producers and readers, for passes over the
// whole graph, which must outlive it.
class EditIndex {
 public:
  static constexpr std::size_t kNone = SIZE_MAX;

  explicit EditIndex(const EditableGraph& graph);

  std::size_t size() const { return graph_->operators().size(); }
  OperatorKey key(std::size_t i) const { return graph_->operators()[i].first; }
  const EditOperator& op(std::size_t i) const { return *graph_->operators()[i].second; }
  std::size_t position(OperatorKey key) const { return graph_->operators().position(key); }

  // By slot; kNone for an open one.
  std::span<const std::size_t> producers(std::size_t i) const { return list(producers_, first_producer_, i); }
  // Ascending; a reader that reads it twice occurs twice.
  std::span<const std::size_t> readers(std::size_t i) const { return list(readers_, first_reader_, i); }
  // Position in the graph's units; kNone for a source.
  std::size_t unit(std::size_t i) const { return units_[i]; }

  // Returns all operators except those on a circle or after one: each after those that it reads, otherwise in key
  // order.
  std::vector<std::size_t> order() const;
  // Returns the shortest path from one operator along its readers to another, with both ends; empty if there is none.
  std::vector<std::size_t> path(std::size_t from, std::size_t to) const;

 private:
  static std::span<const std::size_t> list(const std::vector<std::size_t>& all, const std::vector<std::size_t>& first,
                                           std::size_t i) {
    return std::span(all).subspan(first[i], first[i + 1] - first[i]);
  }

  const EditableGraph* graph_;
  std::vector<std::size_t> producers_;  // of all operators, one after another
  std::vector<std::size_t> first_producer_;
  std::vector<std::size_t> readers_;
  std::vector<std::size_t> first_reader_;
  std::vector<std::size_t> units_;
};

}  // namespace iosx
