#include "core/formats/wire/writer.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/formats/wire/base64.h"

namespace iosx::wire {

static_assert(std::endian::native == std::endian::little, "tensors are written as they lie in memory");

void Writer::put(std::int64_t value) { fmt::format_to(std::back_inserter(text_), "{}", value); }
void Writer::put(std::size_t value) { fmt::format_to(std::back_inserter(text_), "{}", value); }

void Writer::put(double value) {
  if (std::isnan(value)) return put(std::string_view("nan"));
  if (std::isinf(value)) return put(std::string_view(value > 0 ? "infinity" : "-infinity"));
  fmt::format_to(std::back_inserter(text_), "{}", value);
}

void Writer::put(std::string_view value) {
  bool plain = true;
  for (const char c : value) plain = plain && c >= 0x20 && c != 0x7F && c != '"' && c != '\\';  // ASCII
  if (plain) {
    text_ += '"';
    text_ += value;
    text_ += '"';
    return;
  }
  const nlohmann::json json(value);
  try {
    text_ += json.dump();
  } catch (const nlohmann::json::exception&) {  // not UTF-8
    text_ += fmt::format("{{\"base64\":\"{}\"}}", to_base64(value));
  }
}

void Writer::put(const Shape& shape) { put(std::vector<std::int64_t>(shape.dims().begin(), shape.dims().end())); }

void Writer::put(const Tensor& tensor) {
  if (tensor.empty()) return null();
  const auto elements = tensor.elements();
  text_ += "{\"dims\":";
  put(std::vector<std::int64_t>(tensor.dims().begin(), tensor.dims().end()));
  const std::string_view bytes(reinterpret_cast<const char*>(elements.data()), elements.size_bytes());
  text_ += fmt::format(",\"float32\":\"{}\"}}", to_base64(bytes));
}

}  // namespace iosx::wire
