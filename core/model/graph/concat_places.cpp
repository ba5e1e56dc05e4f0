#include "core/model/graph/concat_places.h"

#include <algorithm>

namespace iosx {
namespace {

bool joins_channels(const Operator& op) {
  const auto* concat = op.as<Concat>();
  return concat != nullptr && concat->axis == 0;
}

class Placing {
 public:
  explicit Placing(const Graph& graph) : graph_(graph), places_(graph.operators().size()) {}

  // Larger concatenations first: what grows out of smaller ones holds them all.
  std::vector<ChannelPlace> run() && {
    std::vector<OperatorId> concats;
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (joins_channels(graph_.operators()[i])) concats.emplace_back(i);
    }
    std::ranges::stable_sort(concats, [&](OperatorId a, OperatorId b) { return channels(a) > channels(b); });
    for (const OperatorId concat : concats) place_inputs(concat);
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (!places_[i].root.valid()) places_[i] = {OperatorId(i), 0};
    }
    return std::move(places_);
  }

 private:
  std::int64_t channels(OperatorId id) const { return graph_.op(id).output.channels(); }
  bool placed(OperatorId id) const { return places_[id.index()].root.valid(); }

  ChannelPlace of(const Value& value) const {
    if (!placed(value.producer)) return {value.producer, value.begin};
    const ChannelPlace& whole = places_[value.producer.index()];
    return {whole.root, whole.begin + value.begin};
  }

  // The place of a concatenation whose inputs lie side by side in one computed buffer.
  std::optional<ChannelPlace> as_view(const Operator& concat) const {
    const ChannelPlace first = of(concat.inputs.front());
    if (graph_.op(first.root).is_source()) return std::nullopt;
    ChannelPlace next = first;
    for (const Value& value : concat.inputs) {
      if (of(value) != next) return std::nullopt;
      next.begin += value.channels();
    }
    return first;
  }

  void place_inputs(OperatorId id) {
    const Operator& concat = graph_.op(id);
    ChannelPlace& own = places_[id.index()];
    if (!own.root.valid()) {
      if (const auto view = as_view(concat)) {
        own = *view;
        places_[view->root.index()] = {view->root, 0};  // it must stay where it is
        return;
      }
      own = {id, 0};
    }
    ChannelPlace next = own;
    for (const Value& value : concat.inputs) {
      if (!placed(value.producer) && value == graph_.whole(value.producer) && !graph_.op(value.producer).is_source()) {
        places_[value.producer.index()] = next;
      }
      next.begin += value.channels();
    }
  }

  const Graph& graph_;
  std::vector<ChannelPlace> places_;  // by operator; without root: not decided yet
};

}  // namespace

ConcatPlaces::ConcatPlaces(const Graph& graph)
    : places_(Placing(graph).run()), shared_(graph.operators().size(), false) {
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (places_[i].root.index() != i) shared_[places_[i].root.index()] = true;
  }
}

ChannelPlace ConcatPlaces::of(OperatorId id) const {
  return places_.empty() ? ChannelPlace{id, 0} : places_[id.index()];
}

ChannelPlace ConcatPlaces::of(const Value& value) const {
  ChannelPlace place = of(value.producer);
  place.begin += value.begin;
  return place;
}

bool ConcatPlaces::shared(OperatorId root) const { return !shared_.empty() && shared_[root.index()]; }

bool ConcatPlaces::in_place(const Graph& graph, OperatorId concat, std::size_t i) const {
  const Operator& op = graph.op(concat);
  if (!joins_channels(op)) return false;
  ChannelPlace wanted = of(concat);
  for (std::size_t before = 0; before < i; ++before) wanted.begin += op.inputs[before].channels();
  return of(op.inputs[i]) == wanted;
}

}  // namespace iosx
