#include "tests/support/open_model.h"

namespace iosx::test {
namespace {

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7U) bytes += static_cast<char>((value & 0x7FU) | 0x80U);
  return bytes + static_cast<char>(value);
}

// Fields of protobuf's messages.
std::string number(int field, std::uint64_t value) {
  return varint(static_cast<std::uint64_t>(field) << 3U) + varint(value);
}
std::string bytes(int field, const std::string& value) {
  return varint(static_cast<std::uint64_t>(field) << 3U | 2U) + varint(value.size()) + value;
}

std::string value_info(const std::string& name, const std::vector<std::string>& axes, int type) {
  std::string shape;
  for (const std::string& axis : axes) {
    const bool size = !axis.empty() && axis.find_first_not_of("0123456789") == std::string::npos;
    shape += bytes(1, size ? number(1, std::stoull(axis)) : bytes(2, axis));
  }
  const std::string tensor = number(1, static_cast<std::uint64_t>(type)) + bytes(2, shape);
  return bytes(1, name) + bytes(2, bytes(1, tensor));
}

}  // namespace

std::string open_model(const std::vector<OpenInput>& inputs, bool twice) {
  std::string graph;
  for (const OpenInput& input : inputs) {
    const char* const op = input.type == 1 ? "Relu" : "Identity";
    graph += bytes(1, bytes(1, input.name) + bytes(2, input.name + "/out") + bytes(4, op));
    const std::string again = bytes(1, input.name + "/out") + bytes(2, input.name + "/again") + bytes(4, "Identity");
    if (twice) graph += bytes(1, again);
  }
  graph += bytes(2, "open");
  for (const OpenInput& input : inputs) graph += bytes(11, value_info(input.name, input.axes, input.type));
  for (const OpenInput& input : inputs) {
    graph += bytes(12, value_info(input.name + "/out", input.axes, input.type));
    if (twice) graph += bytes(12, value_info(input.name + "/again", input.axes, input.type));
  }
  return number(1, 8) + bytes(7, graph) + bytes(8, number(2, 17));
}

}  // namespace iosx::test
