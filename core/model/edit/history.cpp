#include "core/model/edit/history.h"

#include "core/base/check.h"

namespace iosx {
namespace {

template <typename Item>
bool same_item(const std::shared_ptr<const Item>& a, const std::shared_ptr<const Item>& b) {
  return a == b || (a != nullptr && b != nullptr && *a == *b);
}

// Both are in ascending order of keys.
template <typename Key, typename Item>
std::vector<ItemChange<Key, Item>> changes(const KeyMap<Key, std::shared_ptr<const Item>>& before,
                                           const KeyMap<Key, std::shared_ptr<const Item>>& after) {
  std::vector<ItemChange<Key, Item>> made;
  std::size_t b = 0;
  std::size_t a = 0;
  while (b < before.size() || a < after.size()) {
    if (a == after.size() || (b < before.size() && before[b].first < after[a].first)) {
      made.push_back({before[b].first, before[b].second, nullptr});
      ++b;
    } else if (b == before.size() || after[a].first < before[b].first) {
      made.push_back({after[a].first, nullptr, after[a].second});
      ++a;
    } else {
      if (!same_item(before[b].second, after[a].second)) {
        made.push_back({before[b].first, before[b].second, after[a].second});
      }
      ++b;
      ++a;
    }
  }
  return made;
}

template <typename Key, typename Item>
std::vector<ItemChange<Key, Item>> joined_changes(const std::vector<ItemChange<Key, Item>>& first,
                                                  const std::vector<ItemChange<Key, Item>>& second) {
  KeyMap<Key, std::pair<std::shared_ptr<const Item>, std::shared_ptr<const Item>>> all;
  for (const auto& change : first) all.set(change.key, {change.before, change.after});
  for (const auto& change : second) {
    const auto* const known = all.find(change.key);
    all.set(change.key, {known == nullptr ? change.before : known->first, change.after});
  }
  std::vector<ItemChange<Key, Item>> made;
  for (const auto& [key, ends] : all) {
    if (!same_item(ends.first, ends.second)) made.push_back({key, ends.first, ends.second});
  }
  return made;
}

template <typename T>
std::optional<Replacement<T>> joined_replacement(const std::optional<Replacement<T>>& first,
                                                 const std::optional<Replacement<T>>& second) {
  if (!first || !second) return first ? first : second;
  if (first->before == second->after) return std::nullopt;
  return Replacement<T>{first->before, second->after};
}

template <typename Key, typename Item>
bool is_before(const KeyMap<Key, std::shared_ptr<const Item>>& items,
               const std::vector<ItemChange<Key, Item>>& changes) {
  for (const auto& change : changes) {
    const auto* const found = items.find(change.key);
    if (!same_item(found == nullptr ? std::shared_ptr<const Item>() : *found, change.before)) return false;
  }
  return true;
}

// Gives the graph the patch's state before or after.
void set(EditableGraph& graph, const Patch& patch, bool after) {
  const auto state = [&](const auto& change) -> const auto& { return after ? change.after : change.before; };
  for (const auto& change : patch.operators) graph.set(change.key, state(change));
  for (const auto& change : patch.units) graph.set(change.key, state(change));
  if (patch.parts) graph.set_parts(state(*patch.parts));
  if (patch.name) graph.set_name(state(*patch.name));
}

}  // namespace

Patch difference(const EditableGraph& before, const EditableGraph& after, Message sentence) {
  Patch patch{.sentence = std::move(sentence)};
  patch.operators = changes(before.operators(), after.operators());
  patch.units = changes(before.units(), after.units());
  if (before.parts() != after.parts()) patch.parts = {before.parts(), after.parts()};
  if (before.name() != after.name()) patch.name = {before.name(), after.name()};
  return patch;
}

bool fits(const EditableGraph& graph, const Patch& patch) {
  return is_before(graph.operators(), patch.operators) && is_before(graph.units(), patch.units) &&
         (!patch.parts || patch.parts->before == graph.parts()) && (!patch.name || patch.name->before == graph.name());
}

void apply(EditableGraph& graph, const Patch& patch) { set(graph, patch, true); }
void revert(EditableGraph& graph, const Patch& patch) { set(graph, patch, false); }

bool only_moves(const Patch& patch) {
  if (patch.parts || patch.name || !patch.units.empty()) return false;
  return std::ranges::all_of(patch.operators, [](const auto& change) {
    if (!change.before || !change.after) return false;
    EditOperator moved = *change.before;
    moved.place = change.after->place;
    return moved == *change.after;
  });
}

Patch joined(const Patch& first, const Patch& second) {
  Patch patch{.sentence = second.sentence};
  patch.operators = joined_changes(first.operators, second.operators);
  patch.units = joined_changes(first.units, second.units);
  patch.parts = joined_replacement(first.parts, second.parts);
  patch.name = joined_replacement(first.name, second.name);
  return patch;
}

Patch Gesture::finish(Message sentence) && {
  std::vector<bool> used(graph_.units().size(), false);
  for (const auto& [key, op] : graph_.operators()) {
    const std::size_t unit = graph_.units().position(op->unit);
    if (unit < used.size()) used[unit] = true;
  }
  std::vector<UnitKey> empty;
  for (std::size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) empty.push_back(graph_.units()[i].first);
  }
  for (const UnitKey unit : empty) graph_.remove(unit);
  return difference(before_, graph_, std::move(sentence));
}

EditHistory::EditHistory(EditableGraph graph, std::size_t most_steps)
    : graph_(std::move(graph)), most_steps_(std::max<std::size_t>(most_steps, 1)) {}

void EditHistory::forget_redo() {
  steps_.resize(done_);
  if (clean_ && *clean_ > done_) clean_.reset();
}

bool EditHistory::push(Patch patch, std::uint64_t gesture) {
  if (patch.empty()) return false;
  IOS_CHECK(fits(graph_, patch));
  apply(graph_, patch);
  forget_redo();
  if (continues_ && gesture != 0 && done_ > 0 && steps_.back().gesture == gesture) {
    steps_.back().patch = joined(steps_.back().patch, patch);
    if (!steps_.back().patch.empty()) return true;
    steps_.pop_back();  // it came back to where it began
    --done_;
    continues_ = false;
    return true;
  }
  steps_.push_back({std::move(patch), gesture});
  ++done_;
  continues_ = true;
  if (steps_.size() > most_steps_) {
    steps_.pop_front();
    --done_;
    if (clean_) clean_ = *clean_ == 0 ? std::nullopt : std::optional(*clean_ - 1);
  }
  return true;
}

const Patch* EditHistory::undo() {
  continues_ = false;
  if (done_ == 0) return nullptr;
  revert(graph_, steps_[--done_].patch);
  return &steps_[done_].patch;
}

const Patch* EditHistory::redo() {
  continues_ = false;
  if (done_ == steps_.size()) return nullptr;
  apply(graph_, steps_[done_].patch);
  return &steps_[done_++].patch;
}

void EditHistory::mark_clean() {
  clean_ = done_;
  continues_ = false;
}

}  // namespace iosx
