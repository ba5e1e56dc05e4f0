#include "core/model/plan/seen_tensors.h"

#include <algorithm>
#include <utility>

#include "core/model/plan/patterns.h"

namespace iosx {
namespace {

using Axes = std::vector<SeenAxis>;

Axes own_axes(const Shape& shape) {
  Axes axes;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) axes.push_back({axis, shape[axis]});
  return axes;
}

// Returns the axes in which a tensor of this shape is seen that has the same elements in row-major order. None where
// one of its axes would run over several. Example: 197 × 768 as 197 × 12 × 64 splits the second axis in steps of 64.
// Axes of size 1 begin at 0.
std::optional<Axes> reshaped(const Axes& seen, const Shape& shape) {
  Axes axes(shape.rank());
  std::size_t next = seen.size();
  SeenAxis left;  // what is not yet given out of an axis
  for (std::size_t i = shape.rank(); i-- > 0;) {
    if (shape[i] == 1) continue;
    while (left.size == 1 && next > 0) left = seen[--next];
    if (left.size % shape[i] != 0) return std::nullopt;
    axes[i] = {left.axis, shape[i], left.step, left.begin};
    left = {left.axis, left.size / shape[i], left.step * shape[i], 0};
  }
  return axes;
}

// Returns the axes of a value from those of all channels, none where the channels have their axis to themselves and are
// but one. Example: the second of 3 × 12 × 197 × 64, which lie in 197 × 2304, begins at column 768, as its heads do.
std::optional<Axes> sliced(Axes axes, const Value& value) {
  if (axes.empty()) return axes;
  SeenAxis& channels = axes.front();
  const auto same = std::find_if(axes.begin() + 1, axes.end(),
                                 [&](const SeenAxis& axis) { return axis.axis == channels.axis && axis.size > 1; });
  channels.size = value.channels();
  channels.begin += value.begin * channels.step;
  if (channels.size > 1 || channels.begin == 0) return axes;
  if (same == axes.end()) return std::nullopt;
  same->begin += std::exchange(channels.begin, 0);
  return axes;
}

// Returns the axes of what a Transpose or Reshape puts out, from those of what it reads.
std::optional<Axes> after(const Operator& op, const Axes& read) {
  const auto* const transpose = op.as<Transpose>();
  if (transpose == nullptr) return reshaped(read, op.output);
  Axes axes;
  for (const std::size_t axis : transpose->axes) axes.push_back(read[axis]);
  return axes;
}

// Returns the axes of what it reads, which has that shape, from those of what it puts out.
std::optional<Axes> before(const Operator& op, const Axes& made, const Shape& shape) {
  const auto* const transpose = op.as<Transpose>();
  if (transpose == nullptr) return reshaped(made, shape);
  Axes axes(made.size());
  for (std::size_t i = 0; i < made.size(); ++i) axes[transpose->axes[i]] = made[i];
  return axes;
}

// Returns whether the matrices of a batch of such tensors have one stride from one to the next.
bool one_stride(const Axes& seen, std::int64_t batch) {
  const auto outer = std::span(seen).first(seen.size() - std::min<std::size_t>(seen.size(), 2));
  const auto strides = std::ranges::count_if(outer, [](const SeenAxis& axis) { return axis.size > 1; });
  return !seen.empty() && strides + (batch > 1 ? 1 : 0) <= 1;
}

bool moves(const Operator& op) { return op.as<Transpose>() != nullptr || op.as<Reshape>() != nullptr; }

// Looks for operators that only products read.
class Readers {
 public:
  Readers(const Graph& graph, std::int64_t batch, bool attention)
      : graph_(graph), batch_(batch), found_(graph.operators().size()), product_(found_.size()), axes_(found_.size()) {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      found_[i] = moves(graph.operators()[i]);
      if (graph.operators()[i].as<MatMul>() == nullptr) continue;
      product_[i] = true;
      const auto whole = attention ? attention_at(graph, OperatorId(i)) : std::nullopt;
      if (!whole) continue;
      for (const OperatorId factor : whole->factors) product_[factor.index()] = true;
    }
    do {
      for (std::size_t i = found_.size(); i-- > 0;) found_[i] = found_[i] && read_by_products(OperatorId(i));
    } while (!settle());
  }

  bool found(OperatorId id) const { return found_[id.index()]; }
  // Return the operator whose output is read instead of that of one that was found, and its axes in that.
  OperatorId source(OperatorId id) const {
    while (found(id)) id = graph_.op(id).inputs.front().producer;
    return id;
  }
  const Axes& axes(OperatorId id) const { return axes_[id.index()]; }

 private:
  // Sets the axes. Returns whether all that was found can be seen; gives up others.
  bool settle() {
    bool same = true;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (!found_[i]) continue;
      const OperatorId id(i);
      const OperatorId input = graph_.op(id).inputs.front().producer;
      if (found(input) && see(id, axes(input))) continue;
      const bool stored = see(id, own_axes(graph_.op(input).output));
      if (stored && !found(input)) continue;
      found_[stored ? input.index() : i] = false;
      same = false;
    }
    return same;
  }

  // Sets the axes in what it reads, where products can use them.
  bool see(OperatorId id, const Axes& read) {
    const Operator& op = graph_.op(id);
    const Value& input = op.inputs.front();
    const auto slice = sliced(read, input);
    const auto made = slice && !graph_.op(input.producer).is_constant() ? after(op, *slice) : std::nullopt;
    if (!made || !std::ranges::all_of(graph_.consumers(id), [&](OperatorId reader) { return fits(*made, id, reader); }))
      return false;
    axes_[id.index()] = *made;
    return true;
  }
  bool fits(const Axes& made, OperatorId id, OperatorId reader) const {
    const Operator& op = graph_.op(reader);
    return moves(op) || std::ranges::all_of(op.inputs, [&](const Value& value) {
             const auto slice = value.producer == id ? sliced(made, value) : std::nullopt;
             return value.producer != id || (slice && one_stride(*slice, batch_));
           });
  }

  bool read_by_products(OperatorId id) const {
    const auto readers = graph_.consumers(id);
    return !readers.empty() &&
           std::ranges::all_of(readers, [&](OperatorId reader) { return found(reader) || product_[reader.index()]; });
  }

  const Graph& graph_;
  const std::int64_t batch_;
  std::vector<bool> found_;    // by operator
  std::vector<bool> product_;  // by operator: it is one, or part of one's kernel
  std::vector<Axes> axes_;     // by operator that was found
};

}  // namespace

std::vector<SeenAxis> SeenTensors::seen(const Value& value) const {
  if (places_.empty() || places_[value.producer.index()].seen.empty()) return {};
  return sliced(places_[value.producer.index()].seen, value).value();
}

SeenTensors::SeenTensors(const Graph& graph, std::int64_t batch, const ConcatPlaces& concats, bool attention) {
  const Readers readers(graph, batch, attention);
  for (std::size_t i = 0; i < graph.operators().size(); ++i) {
    const OperatorId id(i);
    places_.push_back({.stored = readers.source(id)});
    if (!readers.found(id)) continue;
    places_.back().seen = readers.axes(id);
    places_.back().has_kernel = false;
  }
  for (std::size_t i = 0; i < places_.size(); ++i) {
    if (graph.operators()[i].as<MatMul>() == nullptr) continue;
    std::vector<OperatorId> chain{OperatorId(i)};  // of which each alone reads the one before
    std::vector<Axes> best;                        // of all but its last one, in that
    for (;;) {
      const auto next = graph.consumers(chain.back());
      if (next.size() != 1 || !moves(graph.op(next.front())) || readers.found(next.front())) break;
      if (graph.op(next.front()).inputs.front() != graph.whole(chain.back())) break;
      chain.push_back(next.front());
      std::optional<Axes> seen = own_axes(graph.op(chain.back()).output);
      std::vector<Axes> axes(chain.size() - 1);
      for (std::size_t link = chain.size() - 1; seen && link-- > 0;) {
        seen = before(graph.op(chain[link + 1]), *seen, graph.op(chain[link]).output);
        if (seen) axes[link] = *seen;
      }
      const ChannelPlace place = concats.of(chain.back());
      if (!seen || !one_stride(*seen, batch) || place.root != chain.back() || concats.shared(place.root)) continue;
      best = std::move(axes);
    }
    for (std::size_t link = 0; link < best.size(); ++link) {
      places_[chain[link].index()] = {chain[best.size()], std::move(best[link]), link == 0};
    }
    if (!best.empty()) places_[chain[best.size()].index()].has_kernel = false;
  }
}

}  // namespace iosx
