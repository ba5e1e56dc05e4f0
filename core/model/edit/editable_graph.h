#pragma once

#include <algorithm>
#include <optional>

#include "core/base/id.h"
#include "core/model/graph/operator.h"
#include "core/model/graph/tensor.h"

namespace iosx {

// Keys identify things for edits, views and undo steps: a key stays with its operator, unit or part through all
// changes, and is never reused in a document. Ids (OperatorId, …) are places in a Graph and are valid for that graph
// only.
using OperatorKey = Id<struct OperatorKeyTag>;
using UnitKey = Id<struct UnitKeyTag>;
using PartKey = Id<struct PartKeyTag>;

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

// The elements of an editable graph. All are values and refer to each other by key.

// The centre of an operator on the canvas, in canvas units.
struct CanvasPlace {
  double x = 0;
  double y = 0;
  friend bool operator==(const CanvasPlace&, const CanvasPlace&) = default;
};

// [begin, end) of a producer's channels.
struct ChannelRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  friend bool operator==(const ChannelRange&, const ChannelRange&) = default;
};

// One slot of an operator: what it reads. Open while nothing is connected to it.
struct EditInput {
  OperatorKey producer;                  // invalid: open
  std::optional<ChannelRange> channels;  // none: all, whatever their number

  bool open() const { return !producer.valid(); }
  friend bool operator==(const EditInput&, const EditInput&) = default;
};

struct EditOperator {
  std::string name;
  Attributes attributes;
  std::vector<EditInput> inputs;
  // As in Parameters; empty: made up. They may stop fitting after a change of attributes, and are kept because an undo
  // makes them fit again.
  Tensor weights = {};
  Tensor bias = {};
  bool biased = true;                     // for a kind that may have a bias
  UnitKey unit = {};                      // invalid for a source
  std::string network = {};               // its network of several; empty: see GraphBuilder::set_network()
  std::optional<CanvasPlace> place = {};  // none: the layout's choice

  bool is_source() const {
    return std::holds_alternative<Input>(attributes) || std::holds_alternative<Constant>(attributes);
  }
  friend bool operator==(const EditOperator& a, const EditOperator& b);
};

struct EditUnit {
  std::string name;
  std::string hint;
  PartKey part;
  bool whole = false;  // see Unit::whole
  friend bool operator==(const EditUnit&, const EditUnit&) = default;
};

struct EditPart {
  PartKey key;
  std::string name;
  bool continued = false;
  friend bool operator==(const EditPart&, const EditPart&) = default;
};

// A graph that is being drawn: anything may be open, wrong or missing, and check() reports it. It is a value; copies
// share their operators, which never change in place. Actions make patches (history.h) of it, EditHistory keeps one
// with its undo steps, to_graph() makes a graph of its valid operators.
//
// It has at least one part. Every operator that is not a source is in an existing unit, and every unit in an existing
// part.
class EditableGraph {
 public:
  // An empty graph with one part of the graph's name.
  explicit EditableGraph(std::string name = "graph");

  const std::string& name() const { return name_; }
  const KeyMap<OperatorKey, std::shared_ptr<const EditOperator>>& operators() const { return operators_; }
  const KeyMap<UnitKey, std::shared_ptr<const EditUnit>>& units() const { return units_; }
  const std::vector<EditPart>& parts() const { return parts_; }  // in order

  // Null for unknown keys.
  const EditOperator* find(OperatorKey key) const;
  const EditUnit* find(UnitKey key) const;
  const EditPart* find(PartKey key) const;
  // For known keys.
  const EditOperator& op(OperatorKey key) const;
  const EditUnit& unit(UnitKey key) const;

  std::size_t place(PartKey key) const;  // among the parts; their number for an unknown key

  std::optional<OperatorKey> find_operator(std::string_view name) const;  // the first of that name
  std::vector<OperatorKey> operators_of(UnitKey unit) const;              // by key

  // Changes. Added things get keys that were never used here.
  OperatorKey add(EditOperator op);
  UnitKey add(EditUnit unit);
  PartKey new_part_key() { return PartKey(next_part_++); }
  void set(OperatorKey key, EditOperator op);
  void set(UnitKey key, EditUnit unit);
  // Null removes.
  void set(OperatorKey key, std::shared_ptr<const EditOperator> op);
  void set(UnitKey key, std::shared_ptr<const EditUnit> unit);
  void remove(OperatorKey key) { operators_.erase(key); }
  void remove(UnitKey key) { units_.erase(key); }
  void set_parts(std::vector<EditPart> parts);
  void set_name(std::string name) { name_ = std::move(name); }

 private:
  std::string name_;
  KeyMap<OperatorKey, std::shared_ptr<const EditOperator>> operators_;
  KeyMap<UnitKey, std::shared_ptr<const EditUnit>> units_;
  std::vector<EditPart> parts_;
  std::size_t next_operator_ = 0;
  std::size_t next_unit_ = 0;
  std::size_t next_part_ = 0;
};

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
