#include "core/model/graph/attribute_list.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <type_traits>

#include "core/model/graph/operator_fields.h"
#include "core/model/graph/operator_table.h"

namespace iosx {
namespace {

template <typename T>
inline constexpr bool kInteger = std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::size_t>;

AttributeValue value_of(const auto& value) {
  using T = std::remove_cvref_t<decltype(value)>;
  if constexpr (kInteger<T> || std::is_enum_v<T>) {
    return static_cast<std::int64_t>(value);
  } else if constexpr (std::is_same_v<T, float>) {
    return static_cast<double>(value);
  } else if constexpr (std::is_same_v<T, std::vector<std::size_t>>) {
    return std::vector<std::int64_t>(value.begin(), value.end());
  } else if constexpr (std::is_same_v<T, std::vector<float>>) {
    return std::vector<double>(value.begin(), value.end());
  } else {
    return value;
  }
}

template <typename E>
std::vector<Sentence> words_of() {
  std::vector<Sentence> words;
  for (int i = 0; !word_of(static_cast<E>(i)).pattern.empty(); ++i) words.push_back(word_of(static_cast<E>(i)));
  return words;
}

// Lists the rows of a kind.
struct Lister {
  template <typename T>
  using Of = const T;

  std::vector<AttributeEntry> entries = {};

  void all(const auto& /*kind*/, const auto&... rows) { (add(rows), ...); }
  template <typename T>
  void add(const Attribute<T>& row) {
    AttributeEntry& entry = entries.emplace_back(
        AttributeEntry{.name = row.name, .title = row.title, .value = value_of(row.value), .words = {}});
    if constexpr (std::is_enum_v<typename Attribute<T>::Plain>) entry.words = words_of<typename Attribute<T>::Plain>();
    entry.least = row.least;
    entry.most = row.most;
    entry.level = row.level;
    entry.later = row.zero_unwritten;
    entry.means_something = row.counts && row.shown;
    entry.usual = row.has_usual && row.value == row.usual;
    entry.in_name = row.in_name;
    entry.fixed = row.fixed;
    entry.fused = row.fused;
  }
};

bool assign(auto& to, const AttributeValue& from) {
  using T = std::remove_cvref_t<decltype(to)>;
  using Integers = std::vector<std::int64_t>;
  const auto* const integer = std::get_if<std::int64_t>(&from);
  const auto* const integers = std::get_if<Integers>(&from);
  const bool not_negative = integers != nullptr && std::ranges::all_of(*integers, [](auto each) { return each >= 0; });
  if constexpr (std::is_same_v<T, std::size_t>) {
    if (integer == nullptr || *integer < 0) return false;
    to = static_cast<std::size_t>(*integer);
  } else if constexpr (std::is_enum_v<T>) {
    if (integer == nullptr || *integer < 0 || *integer >= static_cast<std::int64_t>(words_of<T>().size())) return false;
    to = static_cast<T>(*integer);
  } else if constexpr (std::is_same_v<T, float>) {
    const auto* const number = std::get_if<double>(&from);
    if (number == nullptr && integer == nullptr) return false;
    to = number != nullptr ? static_cast<float>(*number) : static_cast<float>(*integer);
  } else if constexpr (std::is_same_v<T, Extent>) {
    if (const auto* const extent = std::get_if<Extent>(&from)) return to = *extent, true;
    if (integer != nullptr) return to = {*integer, *integer}, true;
    if (integers == nullptr || integers->empty() || integers->size() > 2) return false;
    to = {integers->front(), integers->back()};
  } else if constexpr (std::is_same_v<T, Shape>) {
    if (const auto* const shape = std::get_if<Shape>(&from)) return to = *shape, true;
    if (integers == nullptr || integers->size() > Shape::kMaxRank) return false;
    to = Shape(std::span(*integers));
  } else if constexpr (std::is_same_v<T, std::vector<std::size_t>>) {
    if (!not_negative) return false;
    to.assign(integers->begin(), integers->end());
  } else if constexpr (std::is_same_v<T, std::vector<float>>) {
    if (integers != nullptr) return to.assign(integers->begin(), integers->end()), true;
    const auto* const numbers = std::get_if<std::vector<double>>(&from);
    if (numbers == nullptr) return false;
    to.assign(numbers->begin(), numbers->end());
  } else {
    const auto* const same = std::get_if<T>(&from);
    if (same == nullptr) return false;
    to = *same;
  }
  return true;
}

struct Setter {
  template <typename T>
  using Of = T;

  std::string_view name;
  const AttributeValue& value;
  bool done = false;

  void all(auto& /*kind*/, const auto&... rows) {
    ((rows.name == name ? void(done = assign(rows.value, value)) : void()), ...);
  }
};

bool is_in(std::int64_t value, const auto& row) { return value >= row.least && value <= row.most; }

struct BoundsCheck {
  template <typename T>
  using Of = const T;

  Result<void> found = {};

  void all(const auto& /*kind*/, const auto&... rows) { (check(rows), ...); }
  template <typename T>
  void check(const Attribute<T>& row) {
    if (!found || !row.counts) return;
    if constexpr (kInteger<typename Attribute<T>::Plain>) {
      const auto value = static_cast<std::int64_t>(row.value);
      if (!is_in(value, row))
        found = fail(message("{} {} must lie in {}..{}", Message(row.title), value, row.least, row.most));
    } else if constexpr (std::is_same_v<typename Attribute<T>::Plain, Extent>) {
      if (is_in(row.value.height, row) && is_in(row.value.width, row)) return;
      found = fail(message("{} [{}, {}] must lie in {}..{}", Message(row.title), row.value.height, row.value.width,
                           row.least, row.most));
    }
  }
};

// Writes the words that a kind's text begins with: its id, or what stood there before kinds had ids.
struct Head {
  std::string_view id;

  std::string_view otherwise() const { return id; }
  std::string_view operator()(const ConvTranspose& /*conv*/) const { return "deconv"; }
  std::string_view operator()(const Pool& pool) const {
    constexpr std::string_view kNames[]{"max", "avg", "gmax", "gavg"};
    return kNames[static_cast<std::size_t>(pool.kind)];
  }
  std::string_view operator()(const Activate& /*activate*/) const { return {}; }  // the function's name
  std::string_view operator()(const Binary& binary) const { return binary_row(binary.function).name; }
  std::string_view operator()(const Identity& /*identity*/) const { return "copy"; }
  std::string_view operator()(const TopK& /*top*/) const { return "top"; }
  std::string_view operator()(const GridSample& /*sample*/) const { return "grid"; }
  std::string_view operator()(const Gather& gather) const {
    return gather.kind == GatherKind::kSlices ? "gather" : "pick";
  }
  std::string_view operator()(const Normalize& normalize) const { return normalize.centred ? "norm" : "rms"; }
  std::string_view operator()(const Reduce& reduce) const { return reduce_name(reduce.kind); }
  std::string_view operator()(const Opaque& /*opaque*/) const { return "?"; }
};

// Writes the attributes of an operator as their rows say.
struct AttributeText {
  template <typename T>
  using Of = const T;

  std::string& text;

  template <typename Kind, typename... Rows>
  void all(const Kind& kind, const Rows&... rows) {
    check_members<sizeof...(Rows)>(kind);
    (write(rows), ...);
  }

 private:
  template <typename T>
  void write(const Attribute<T>& row) {
    if (!row.counts || row.keyed == Keyed::kNo) return;
    const bool given = row.value == row.given;
    if (row.keyed == Keyed::kFlag) {
      if (given) text.push_back(row.mark);
    } else if (row.keyed != Keyed::kUnless || !given) {
      value(row.mark, row.value);
    }
  }
  void write(const Attribute<const Activation>& row) {
    if (row.fused && row.value == Activation::kIdentity) return;
    if (row.fused) text.push_back('/');
    text += activation_name(row.value);
    if (row.value.alpha != 0 || row.value.beta != 0) {
      value('_', row.value.alpha);
      value('_', row.value.beta);
    }
  }

  void mark(char sign) {
    if (sign != 0) text.push_back(sign);
  }
  template <typename Number>
  requires(std::is_integral_v<Number> || std::is_enum_v<Number>) void value(char sign, Number number) {
    mark(sign);
    put(text, static_cast<std::int64_t>(number));
  }
  // Writes the bit pattern, so nothing is rounded.
  void value(char sign, float number) { value(sign, std::bit_cast<std::uint32_t>(number)); }
  void value(char sign, const Extent& extent) {
    value(sign, extent.height);
    value('x', extent.width);
  }
  void value(char sign, const Shape& shape) { put(text, sign, shape); }
  void value(char sign, const std::string& words) {
    mark(sign);
    text += words;
  }
  template <typename Item>
  void value(char sign, const std::vector<Item>& list) {
    mark(sign);
    for (const Item& item : list) value('_', item);
  }
};

}  // namespace

std::vector<AttributeEntry> attribute_list(const Attributes& attributes) {
  Lister lister;
  std::visit([&](const auto& kind) { fields(lister, kind); }, attributes);
  return std::move(lister.entries);
}

bool set_attribute(Attributes& attributes, std::string_view name, const AttributeValue& value) {
  Setter setter{name, value};
  std::visit([&](auto& kind) { fields(setter, kind); }, attributes);
  return setter.done;
}

Result<void> check_bounds(const Attributes& attributes) {
  BoundsCheck check;
  std::visit([&](const auto& kind) { fields(check, kind); }, attributes);
  return std::move(check.found);
}

std::optional<std::size_t> kind_of_id(std::string_view id) {
  const auto row = std::ranges::find(operator_table::kRows, id, &OperatorRow::id);
  if (row == operator_table::kRows.end()) return std::nullopt;
  return row->kind;
}

Attributes attributes_of_kind(std::size_t kind) {
  Attributes made;
  for_each_kind([&]<typename Kind>() {
    if (kind == operator_table::kIndex<Kind>) made = Kind{};
  });
  return made;
}

void put(std::string& text, std::int64_t number) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  text.append(digits, end);
}

void put(std::string& text, char mark, std::int64_t number) {
  text.push_back(mark);
  put(text, number);
}

void put(std::string& text, char mark, const Shape& shape) {
  for (const std::int64_t size : shape.dims()) {
    put(text, mark, size);
    mark = 'x';
  }
  if (shape.rank() == 0) text.push_back(mark);
}

void put_attributes(std::string& text, const Attributes& attributes) {
  text += visit_kind(Head{operator_row(attributes).id}, attributes);
  AttributeText writer{text};
  std::visit([&](const auto& kind) { fields(writer, kind); }, attributes);
}

std::string_view onnx_name(ResizeCoordinates coordinates) {
  constexpr std::string_view kNames[]{"half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric"};
  return kNames[static_cast<std::size_t>(coordinates)];
}

std::string_view onnx_name(ResizeRounding rounding) {
  constexpr std::string_view kNames[]{"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"};
  return kNames[static_cast<std::size_t>(rounding)];
}

}  // namespace iosx
