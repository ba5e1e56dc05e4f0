#include "core/model/graph/attribute_text.h"

#include <bit>
#include <charconv>
#include <type_traits>
#include <vector>

#include "core/model/graph/operator_fields.h"
#include "core/model/graph/operator_table.h"

namespace iosx {
namespace {

// Writes the words that a kind's text begins with: its id, or what stood there before kinds had ids.
struct Head {
  std::string_view id;

  std::string_view otherwise() const { return id; }
  std::string_view operator()(const ConvTranspose& /*conv*/) const { return "deconv"; }
  std::string_view operator()(const Pool& pool) const {
    switch (pool.kind) {
      case PoolKind::kGlobalMax: return "gmax";
      case PoolKind::kGlobalAverage: return "gavg";
      case PoolKind::kMax: return "max";
      case PoolKind::kAverage: return "avg";
    }
    return {};
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

}  // namespace iosx
