#include "core/operators/boosted_trees.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <system_error>

namespace iosx {

namespace {

// A value of UBJSON (https://ubjson.org), in the part of it that XGBoost writes.
struct SavedValue {
  std::string_view key;           // of a member
  char kind = 0;                  // UBJSON's marker: '{', '[', 'S', 'l', ...
  char type = 0;                  // of a list whose numbers are of one type
  std::string_view text;          // the bytes of a text, a number, or those numbers
  std::vector<SavedValue> items;  // or members
};

std::size_t bytes_of_number(char type) {
  switch (type) {
    case 'i':
    case 'U': return 1;
    case 'I': return 2;
    case 'l':
    case 'd': return 4;
    case 'L':
    case 'D': return 8;
    default: return 0;
  }
}

double number_of(char type, std::string_view bytes) {
  std::uint64_t bits = 0;  // the first byte is the highest
  for (const char byte : bytes) bits = bits << 8U | static_cast<unsigned char>(byte);
  switch (type) {
    case 'i': return static_cast<std::int8_t>(bits);
    case 'U': return static_cast<std::uint8_t>(bits);
    case 'I': return static_cast<std::int16_t>(bits);
    case 'l': return static_cast<std::int32_t>(bits);
    case 'd': return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case 'D': return std::bit_cast<double>(bits);
    default: return static_cast<double>(static_cast<std::int64_t>(bits));
  }
}

class Ubjson {
 public:
  explicit Ubjson(std::string_view bytes) : left_(bytes) {}

  std::optional<SavedValue> document() {
    SavedValue value;
    if (!read(value, 0) || !left_.empty()) return std::nullopt;
    return value;
  }

 private:
  static constexpr int kMostLevels = 32;
  static constexpr std::size_t kMostValues = 1'000'000;

  char next() {
    const std::string_view one = left_.substr(0, 1);
    left_.remove_prefix(one.size());
    return one.empty() ? '\0' : one.front();
  }
  bool next_is(char wanted) {
    if (!left_.starts_with(wanted)) return false;
    left_.remove_prefix(1);
    return true;
  }
  bool take(std::size_t count, std::string_view& bytes) {
    if (count > left_.size()) return false;
    bytes = left_.substr(0, count);
    left_.remove_prefix(count);
    return true;
  }
  // A count is of things of a byte at least, which follow.
  bool count(std::size_t& found) {
    const char type = next();
    std::string_view bytes;
    if (bytes_of_number(type) == 0 || !take(bytes_of_number(type), bytes)) return false;
    const double value = number_of(type, bytes);
    if (!(value >= 0 && value <= static_cast<double>(left_.size()))) return false;
    found = static_cast<std::size_t>(value);
    return true;
  }
  bool text(std::string_view& bytes) {
    std::size_t length = 0;
    return count(length) && take(length, bytes);
  }
  bool read(SavedValue& value, int level) {
    if (level > kMostLevels || ++values_ > kMostValues) return false;
    value.kind = next();
    switch (value.kind) {
      case 'T':
      case 'F':
      case 'Z': return true;
      case 'S': return text(value.text);
      case '[': return list(value, level);
      case '{':
        while (!next_is('}')) {
          SavedValue& member = value.items.emplace_back();
          if (!text(member.key) || !read(member, level + 1)) return false;
        }
        return true;
      default: return bytes_of_number(value.kind) > 0 && take(bytes_of_number(value.kind), value.text);
    }
  }
  bool list(SavedValue& value, int level) {
    if (next_is('$')) {
      value.type = next();
      if (bytes_of_number(value.type) == 0) return false;
    }
    if (next_is('#')) {
      std::size_t items = 0;
      if (!count(items)) return false;
      if (value.type != 0) return take(items * bytes_of_number(value.type), value.text);
      for (; items > 0; --items) {
        if (!read(value.items.emplace_back(), level + 1)) return false;
      }
      return true;
    }
    if (value.type != 0) return false;
    while (!next_is(']')) {
      if (!read(value.items.emplace_back(), level + 1)) return false;
    }
    return true;
  }

  std::string_view left_;
  std::size_t values_ = 0;
};

// Returns what is at the path; null where nothing is.
const SavedValue* saved_at(const SavedValue& value, std::initializer_list<std::string_view> path) {
  const SavedValue* at = &value;
  for (const std::string_view key : path) {
    if (at->kind != '{') return nullptr;
    const auto found = std::ranges::find(at->items, key, &SavedValue::key);
    if (found == at->items.end()) return nullptr;
    at = &*found;
  }
  return at;
}

std::string_view saved_text(const SavedValue& value, std::initializer_list<std::string_view> path) {
  const SavedValue* const found = saved_at(value, path);
  return found != nullptr && found->kind == 'S' ? found->text : std::string_view();
}

// Parameters are texts, such as "5E-1".
template <typename T>
bool parse_parameter(std::string_view text, T& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

std::vector<double> saved_numbers(const SavedValue& value, std::string_view key) {
  std::vector<double> numbers;
  const SavedValue* const list = saved_at(value, {key});
  if (list == nullptr || list->type == 0) return numbers;
  const std::size_t size = bytes_of_number(list->type);
  numbers.reserve(list->text.size() / size);
  for (std::size_t at = 0; at < list->text.size(); at += size) {
    numbers.push_back(number_of(list->type, list->text.substr(at, size)));
  }
  return numbers;
}

}  // namespace

// A tree as it is saved: one list for each member of a node.
struct BoostedTrees::Lists {
  explicit Lists(const SavedValue& tree)
      : left(saved_numbers(tree, "left_children")),
        right(saved_numbers(tree, "right_children")),
        columns(saved_numbers(tree, "split_indices")),
        values(saved_numbers(tree, "split_conditions")),
        missing_left(saved_numbers(tree, "default_left")),
        types(saved_numbers(tree, "split_type")) {}

  bool are_of_one_length() const {
    return !left.empty() && std::ranges::all_of(std::to_array({&right, &columns, &values, &missing_left, &types}),
                                                [this](const auto* list) { return list->size() == left.size(); });
  }

  std::vector<double> left;
  std::vector<double> right;
  std::vector<double> columns;
  std::vector<double> values;
  std::vector<double> missing_left;
  std::vector<double> types;  // 0: by a number
};

constexpr double kLargest = 1e30;  // so that sums over all trees are numbers

// Adds the nodes that the root leads to, each once.
bool BoostedTrees::add(const Lists& tree) {
  if (!tree.are_of_one_length()) return false;
  const std::size_t count = tree.left.size();
  const auto below = [](double index, std::size_t end) { return index >= 0 && index < static_cast<double>(end); };
  struct Reached {
    std::size_t saved;  // its index in the lists
    std::size_t node;   // in nodes_
    int level;
  };
  std::vector<bool> seen(count, false);
  std::vector<Reached> open{{0, nodes_.size(), 1}};
  roots_.push_back(nodes_.size());
  nodes_.emplace_back();
  while (!open.empty()) {
    const auto [i, node, level] = open.back();
    open.pop_back();
    if (seen[i] || level > kMostLevels || !(std::abs(tree.values[i]) <= kLargest)) return false;
    seen[i] = true;
    nodes_[node].value = static_cast<float>(tree.values[i]);
    if (tree.left[i] == -1 && tree.right[i] == -1) continue;
    if (!below(tree.left[i], count) || !below(tree.right[i], count) || !below(tree.columns[i], columns_) ||
        tree.types[i] != 0) {
      return false;
    }
    const std::size_t left = nodes_.size();
    nodes_[node].left = left;
    nodes_[node].right = left + 1;
    nodes_[node].column = static_cast<std::size_t>(tree.columns[i]);
    nodes_[node].missing_left = tree.missing_left[i] != 0;
    nodes_.resize(left + 2);
    open.push_back({static_cast<std::size_t>(tree.left[i]), left, level + 1});
    open.push_back({static_cast<std::size_t>(tree.right[i]), left + 1, level + 1});
  }
  return true;
}

Result<BoostedTrees> BoostedTrees::read(std::string_view bytes) {
  constexpr std::size_t kMostColumns = 10'000;
  constexpr std::size_t kMostTrees = 10'000;
  const auto broken = [] { return fail(message("is not a set of boosted trees")); };
  const auto document = Ubjson(bytes).document();
  if (!document) return broken();
  const SavedValue* const trees = saved_at(*document, {"learner", "gradient_booster", "model", "trees"});
  if (trees == nullptr || trees->kind != '[' || trees->items.size() > kMostTrees ||
      saved_text(*document, {"learner", "gradient_booster", "name"}) != "gbtree" ||
      saved_text(*document, {"learner", "objective", "name"}) != "reg:squarederror") {
    return broken();
  }
  BoostedTrees made;
  if (!parse_parameter(saved_text(*document, {"learner", "learner_model_param", "num_feature"}), made.columns_) ||
      !parse_parameter(saved_text(*document, {"learner", "learner_model_param", "base_score"}), made.base_) ||
      made.columns_ > kMostColumns || !(std::abs(made.base_) <= kLargest)) {
    return broken();
  }
  for (const SavedValue& tree : trees->items) {
    if (!made.add(Lists(tree))) return broken();
  }
  return made;
}

float BoostedTrees::predict(std::span<const float> row) const {
  float sum = base_;
  for (const std::size_t root : roots_) {
    const Node* node = &nodes_[root];
    while (node->left != 0) {
      const float number = row[node->column];
      const bool left = std::isnan(number) ? node->missing_left : number < node->value;
      node = &nodes_[left ? node->left : node->right];
    }
    sum += node->value;
  }
  return sum;
}

}  // namespace iosx
