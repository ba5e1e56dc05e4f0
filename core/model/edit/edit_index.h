#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/model/edit/editable_graph.h"

namespace iosx {

// The operators of an editable graph by position, in the order of their keys, with who reads whom: for passes over the
// whole graph, which must outlive it.
class EditIndex {
 public:
  static constexpr std::size_t kNone = SIZE_MAX;

  explicit EditIndex(const EditableGraph& graph);

  std::size_t size() const { return graph_->operators().size(); }
  OperatorKey key(std::size_t i) const { return graph_->operators()[i].first; }
  const EditOperator& op(std::size_t i) const { return *graph_->operators()[i].second; }
  std::size_t position(OperatorKey key) const { return graph_->operators().position(key); }

  // By slot; kNone for one that is open.
  std::span<const std::size_t> producers(std::size_t i) const { return list(producers_, first_producer_, i); }
  // Ascending; one that reads it twice is there twice.
  std::span<const std::size_t> readers(std::size_t i) const { return list(readers_, first_reader_, i); }
  // Position in the graph's units; kNone for a source.
  std::size_t unit(std::size_t i) const { return units_[i]; }

  // All operators but those on a circle or behind one: each after what it reads, otherwise in the order of their keys.
  std::vector<std::size_t> order() const;
  // The shortest way from one operator along its readers to another, both included; empty if there is none.
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
