#include "core/formats/npy_header.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

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
    if (name == "True" || name == "False") {
      return Literal{.kind = Literal::Kind::kBool, .integer = name == "True" ? 1 : 0};
    }
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

}  // namespace iosx
