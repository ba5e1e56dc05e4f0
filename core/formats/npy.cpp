#include "core/formats/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>

#include "core/base/files.h"
#include "core/formats/onnx/host_tensor.h"

namespace iosx {
namespace {

constexpr std::size_t kMostDepth = 8;
constexpr std::size_t kMostAxes = 64;  // NumPy's own limit

// A Python value, as far as headers have them.
struct Literal {
  enum class Kind { kText, kInteger, kBool, kTuple, kList, kDict };
  Kind kind = Kind::kText;
  std::string text = {};
  std::int64_t integer = 0;         // of kBool 0 or 1
  std::vector<Literal> items = {};  // of kDict keys and values in turn
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class LiteralReader {
 public:
  explicit LiteralReader(std::string_view text) : text_(text) {}

  // Reads the whole text as one literal; nothing if it is none.
  std::optional<Literal> read() {
    auto literal = value(0);
    skip_space();
    return at_ == text_.size() ? std::move(literal) : std::nullopt;
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }
  bool accept(char c) {
    skip_space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::optional<Literal> value(std::size_t depth) {
    skip_space();
    if (depth > kMostDepth || at_ == text_.size()) return std::nullopt;
    const char c = text_[at_];
    if (c == '\'' || c == '"') return quoted();
    if (is_digit(c) || c == '-') return integer();
    if (is_letter(c)) return word();
    if (accept('(')) return list(Literal::Kind::kTuple, ')', depth);
    if (accept('[')) return list(Literal::Kind::kList, ']', depth);
    if (accept('{')) return list(Literal::Kind::kDict, '}', depth);
    return std::nullopt;
  }

  std::optional<Literal> quoted() {
    const char quote = text_[at_++];
    Literal literal;
    while (at_ < text_.size() && text_[at_] != quote) {
      if (text_[at_] == '\\' || text_[at_] == '\n') return std::nullopt;  // no header needs that
      literal.text += text_[at_++];
    }
    return at_++ < text_.size() ? std::optional(std::move(literal)) : std::nullopt;
  }

  std::optional<Literal> integer() {
    Literal literal{.kind = Literal::Kind::kInteger};
    const char* const begin = text_.data() + at_;
    const char* const limit = text_.data() + text_.size();
    const auto [end, error] = std::from_chars(begin, limit, literal.integer);
    if (error != std::errc()) return std::nullopt;
    const bool zeros = *begin == '0' && end - begin > 1;  // "07" is none in Python
    at_ += static_cast<std::size_t>(end - begin);
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // of Python 2
    const bool goes_on = at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '.');
    return zeros || goes_on ? std::nullopt : std::optional(literal);
  }

  std::optional<Literal> word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (name == "True" || name == "False")
      return Literal{.kind = Literal::Kind::kBool, .integer = name == "True" ? 1 : 0};
    // u'text' and b'text' of Python 2
    const bool prefix = name == "u" || name == "b";
    return prefix && at_ < text_.size() && (text_[at_] == '\'' || text_[at_] == '"') ? quoted() : std::nullopt;
  }

  std::optional<Literal> list(Literal::Kind kind, char close, std::size_t depth) {
    Literal literal{.kind = kind};
    bool comma = true;
    while (!accept(close)) {
      if (!comma) return std::nullopt;
      auto item = value(depth + 1);
      if (!item) return std::nullopt;
      literal.items.push_back(*std::move(item));
      if (kind == Literal::Kind::kDict) {
        auto of_key = accept(':') ? value(depth + 1) : std::nullopt;
        if (!of_key) return std::nullopt;
        literal.items.push_back(*std::move(of_key));
      }
      comma = accept(',');
    }
    // (x) is x
    if (kind == Literal::Kind::kTuple && literal.items.size() == 1 && !comma) return std::move(literal.items.front());
    return literal;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

struct NamedForm {
  std::string_view name;
  std::string_view form;
};
constexpr std::array kNamedForms{
    NamedForm{"float16", "f2"}, NamedForm{"float32", "f4"}, NamedForm{"float64", "f8"}, NamedForm{"int8", "i1"},
    NamedForm{"int16", "i2"},   NamedForm{"int32", "i4"},   NamedForm{"int64", "i8"},   NamedForm{"uint8", "u1"},
    NamedForm{"uint16", "u2"},  NamedForm{"uint32", "u4"},  NamedForm{"uint64", "u8"},  NamedForm{"bool", "b1"},
    NamedForm{"e", "f2"},       NamedForm{"f", "f4"},       NamedForm{"d", "f8"},       NamedForm{"b", "i1"},
    NamedForm{"h", "i2"},       NamedForm{"i", "i4"},       NamedForm{"l", "i8"},       NamedForm{"q", "i8"},
    NamedForm{"B", "u1"},       NamedForm{"H", "u2"},       NamedForm{"I", "u4"},       NamedForm{"L", "u8"},
    NamedForm{"Q", "u8"},       NamedForm{"?", "b1"}};

std::optional<ElementForm> form_of(std::string_view descr) {
  const bool order = !descr.empty() && std::string_view("<>=|").find(descr.front()) != std::string_view::npos;
  const bool swapped = descr.starts_with('>');
  if (order) descr.remove_prefix(1);
  const auto* const named = std::ranges::find(kNamedForms, descr, &NamedForm::name);
  if (named != kNamedForms.end()) descr = named->form;
  if (descr.size() != 2 || !is_digit(descr[1])) return std::nullopt;
  const ElementForm form{descr[0], static_cast<std::size_t>(descr[1] - '0'), swapped};
  const auto one_of = [&](std::initializer_list<std::size_t> sizes) {
    return std::ranges::count(sizes, form.bytes) > 0;
  };
  const bool known = ((form.kind == 'i' || form.kind == 'u') && one_of({1, 2, 4, 8})) ||
                     (form.kind == 'b' && form.bytes == 1) || (form.kind == 'f' && one_of({2, 4, 8}));
  return known ? std::optional(form) : std::nullopt;
}

// "<f4" may have a shape of its own: "2f4", "(2, 2)f4".
bool has_sub_array(std::string_view descr) {
  if (descr.find_first_of("(,") != std::string_view::npos) return true;
  const std::size_t first = descr.find_first_not_of("<>=|");
  return first != std::string_view::npos && is_digit(descr[first]);
}

Result<std::vector<std::int64_t>> shape_of(const Literal& literal) {
  std::vector<std::int64_t> shape;
  if (literal.kind != Literal::Kind::kTuple || literal.items.size() > kMostAxes)
    return fail(message("has a damaged header: its shape is not a tuple of sizes"));
  for (const Literal& size : literal.items) {
    if (size.kind != Literal::Kind::kInteger || size.integer < 0)
      return fail(message("has a damaged header: its shape is not a tuple of sizes"));
    shape.push_back(size.integer);
  }
  return shape;
}

static_assert(std::endian::native == std::endian::little, "NumPy's <f4 is little-endian");

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr std::size_t kPreamble = kMagic.size() + 4;  // a version and the header's length in two bytes
constexpr std::size_t kLongestHeader = std::size_t{1} << 16;
constexpr std::size_t kAlignment = 64;

// Returns the dims without the axes of 1 in front.
std::span<const std::int64_t> core(std::span<const std::int64_t> dims) {
  while (!dims.empty() && dims.front() == 1) dims = dims.subspan(1);
  return dims;
}

template <typename T>
T as(const char* bytes) {
  T value{};
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

// Returns the number in the bytes of a signed type, or of the unsigned one of its size. A choice between the two types
// would convert the first to the second.
template <typename Signed>
double integer(const char* bytes, bool is_signed) {
  if (is_signed) return static_cast<double>(as<Signed>(bytes));
  return static_cast<double>(as<std::make_unsigned_t<Signed>>(bytes));
}

double element(const char* bytes, const ElementForm& form) {
  std::array<char, 8> own{};
  std::copy_n(bytes, form.bytes, own.begin());
  if (form.swapped) std::reverse(own.begin(), own.begin() + static_cast<std::ptrdiff_t>(form.bytes));
  const char* const at = own.data();
  const bool is_signed = form.kind == 'i';
  if (form.kind == 'b') return own[0] != 0 ? 1 : 0;
  if (form.kind == 'f') {
    if (form.bytes == 2) return onnx_import::float_of_float16(as<std::uint16_t>(at));
    return form.bytes == 4 ? as<float>(at) : as<double>(at);
  }
  switch (form.bytes) {
    case 1: return integer<std::int8_t>(at, is_signed);
    case 2: return integer<std::int16_t>(at, is_signed);
    case 4: return integer<std::int32_t>(at, is_signed);
    default: return integer<std::int64_t>(at, is_signed);
  }
}

// Fortran's order has the first axis innermost.
std::vector<float> row_major(const std::vector<float>& columns, std::span<const std::int64_t> dims) {
  std::vector<float> made(columns.size());
  std::vector<std::int64_t> at(dims.size(), 0);
  for (float& each : made) {
    std::int64_t from = 0;
    for (std::size_t axis = dims.size(); axis-- > 0;) from = from * dims[axis] + at[axis];
    each = columns[static_cast<std::size_t>(from)];
    for (std::size_t axis = dims.size(); axis-- > 0 && ++at[axis] == dims[axis];) at[axis] = 0;
  }
  return made;
}

std::string saving_remedy(std::span<const std::int64_t> dims) {
  return fmt::format("save it with numpy.save('FILE.npy', x), numbers of shape {}", tuple_text(dims));
}

template <typename T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

// NumPy's name of an ONNX element type, and the form of an element.
struct WrittenType {
  std::string_view onnx;
  std::string_view numpy;
  void (*write)(std::string& bytes, float value);
};

// Returns the nearest value within the type: results in float32 have no more precision.
template <typename T>
void append_whole(std::string& bytes, float value) {
  constexpr auto kLow = static_cast<double>(std::numeric_limits<T>::min());
  constexpr auto kHigh = static_cast<double>(std::numeric_limits<T>::max());
  const double rounded = std::isnan(value) ? 0.0 : std::nearbyint(static_cast<double>(value));
  append(bytes, rounded <= kLow    ? std::numeric_limits<T>::min()
                : rounded >= kHigh ? std::numeric_limits<T>::max()
                                   : static_cast<T>(rounded));
}

constexpr std::array kWrittenTypes{
    WrittenType{"float64", "<f8", [](std::string& bytes, float x) { append(bytes, static_cast<double>(x)); }},
    WrittenType{"float16", "<f2", [](std::string& bytes, float x) { append(bytes, onnx_import::float16_of_float(x)); }},
    WrittenType{"int8", "|i1", append_whole<std::int8_t>},
    WrittenType{"int16", "<i2", append_whole<std::int16_t>},
    WrittenType{"int32", "<i4", append_whole<std::int32_t>},
    WrittenType{"int64", "<i8", append_whole<std::int64_t>},
    WrittenType{"uint8", "|u1", append_whole<std::uint8_t>},
    WrittenType{"uint16", "<u2", append_whole<std::uint16_t>},
    WrittenType{"uint32", "<u4", append_whole<std::uint32_t>},
    WrittenType{"uint64", "<u8", append_whole<std::uint64_t>},
    WrittenType{"bool", "|b1", [](std::string& bytes, float x) { bytes += x != 0 ? '\1' : '\0'; }}};

}  // namespace

Result<NpyHeader> parse_npy_header(std::string_view text) {
  const auto literal = LiteralReader(text).read();
  if (!literal || literal->kind != Literal::Kind::kDict)
    return fail(message("has a damaged header: it is not a Python dictionary"));
  const Literal* descr = nullptr;
  const Literal* order = nullptr;
  const Literal* shape = nullptr;
  for (std::size_t i = 0; i < literal->items.size(); i += 2) {
    const Literal& key = literal->items[i];
    const Literal** const place = key.kind != Literal::Kind::kText ? nullptr
                                  : key.text == "descr"            ? &descr
                                  : key.text == "fortran_order"    ? &order
                                  : key.text == "shape"            ? &shape
                                                                   : nullptr;
    if (place == nullptr || *place != nullptr)
      return fail(message("has a damaged header: its keys are not descr, fortran_order and shape once each"));
    *place = &literal->items[i + 1];
  }
  if (descr == nullptr || order == nullptr || shape == nullptr)
    return fail(message("has a damaged header: descr, fortran_order or shape is missing"));
  if (order->kind != Literal::Kind::kBool)
    return fail(message("has a damaged header: fortran_order is neither True nor False"));
  NpyHeader header{.columns = order->integer == 1};
  IOS_TRY(header.shape, shape_of(*shape));
  if (descr->kind != Literal::Kind::kText || has_sub_array(descr->text))
    return fail(message("does not contain numbers: its elements are structures or arrays themselves"));
  const auto form = form_of(descr->text);
  if (!form) return fail(message("does not contain numbers: float, integer or bool"));
  header.form = *form;
  return header;
}

std::string tuple_text(std::span<const std::int64_t> dims) {
  return dims.size() == 1 ? fmt::format("({},)", dims.front()) : fmt::format("({})", fmt::join(dims, ", "));
}

Result<Tensor> read_npy(std::istream& file, std::span<const std::int64_t> dims, const std::string& where) {
  const Message remedy = verbatim(saving_remedy(dims));
  std::array<char, kPreamble> start{};
  file.read(start.data(), start.size());
  const char version = start[kMagic.size()];
  if (!file || std::string_view(start.data(), kMagic.size()) != kMagic || version < 1 || version > 3)
    return fail(message("is not a NumPy file"), where, remedy);
  const auto byte = [](char c) { return static_cast<std::size_t>(static_cast<unsigned char>(c)); };
  std::size_t length = byte(start[kMagic.size() + 2]) | byte(start[kMagic.size() + 3]) << 8;
  if (version > 1) {
    std::array<char, 2> high{};
    file.read(high.data(), high.size());
    length |= byte(high[0]) << 16 | byte(high[1]) << 24;
  }
  if (!file || length > kLongestHeader) return fail(message("has a damaged header"), where, remedy);
  std::string header(length, '\0');
  file.read(header.data(), static_cast<std::streamsize>(header.size()));
  if (!file) return fail(message("has a damaged header"), where, remedy);
  const auto parsed = parse_npy_header(header);
  if (!parsed) return fail(parsed.error().what, where, remedy);
  const auto& [form, columns, shape] = *parsed;
  if (!std::ranges::equal(core(shape), core(dims)))
    return fail(message("has the shape {} instead of {}", tuple_text(shape), tuple_text(dims)), where, remedy);
  const auto count = std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
  std::vector<float> elements(static_cast<std::size_t>(count));
  constexpr std::size_t kAtOnce = std::size_t{1} << 16;
  std::vector<char> bytes(kAtOnce * form.bytes);
  for (std::size_t done = 0; done < elements.size();) {
    const std::size_t more = std::min(kAtOnce, elements.size() - done);
    const auto wanted = static_cast<std::streamsize>(more * form.bytes);
    file.read(bytes.data(), wanted);
    if (file.gcount() != wanted) return fail(message("ends too early"), where, remedy);
    for (std::size_t i = 0; i < more; ++i) {
      const double value = element(bytes.data() + i * form.bytes, form);
      elements[done + i] = static_cast<float>(value);
      if (std::isfinite(value) && !std::isfinite(elements[done + i]))
        return fail(message("holds {:g}, which is too large for float32", value), where, message("scale or clip it"));
    }
    done += more;
  }
  if (columns) elements = row_major(elements, shape);
  return Tensor({dims.begin(), dims.end()}, std::move(elements));
}

std::string npy_bytes(const Tensor& tensor, std::span<const std::int64_t> dims, std::string_view type) {
  const auto* const written = std::ranges::find(kWrittenTypes, type, &WrittenType::onnx);
  const bool as_floats = written == kWrittenTypes.end();
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}",
                                   as_floats ? "<f4" : written->numpy, tuple_text(dims));
  const std::size_t filled = kPreamble + header.size() + 1;
  header.append((kAlignment - filled % kAlignment) % kAlignment, ' ');
  header += '\n';
  std::string bytes(kMagic);
  bytes += '\1';
  bytes += '\0';
  bytes += static_cast<char>(header.size() & 0xFF);
  bytes += static_cast<char>(header.size() >> 8);
  bytes += header;
  if (as_floats) {
    bytes.append(reinterpret_cast<const char*>(tensor.elements().data()), tensor.elements().size_bytes());
  } else {
    for (const float element : tensor.elements()) written->write(bytes, element);
  }
  return bytes;
}

Result<Tensor> read_npy(const std::filesystem::path& path, std::span<const std::int64_t> dims) {
  IOS_TRY(check_regular_file(path));
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(message("cannot be opened"), path.string(), message("check the path"));
  return read_npy(file, dims, path.string());
}

}  // namespace iosx
