#include "tests/models/structure.h"

namespace iosx::test {
namespace {

std::string text(const Shape& shape) {
  return fmt::format("{}x{}x{}", shape.channels(), shape.height(), shape.width());
}

// Operators are numbered alike in both graphs as long as no difference was found, so values compare by id.
std::vector<Value> inputs(const Operator& op, const CompareOptions& options) {
  std::vector<Value> values = op.inputs;
  if (options.unordered_sums && op.as<Add>() != nullptr) {
    std::sort(values.begin(), values.end(), [](const Value& a, const Value& b) {
      return std::tuple(a.producer, a.begin, a.end) < std::tuple(b.producer, b.begin, b.end);
    });
  }
  return values;
}

std::string operator_difference(const Operator& expected, const Operator& actual, const CompareOptions& options) {
  if (expected.attributes != actual.attributes) {
    return fmt::format("attributes differ ({}, {})", kind_name(expected.attributes), kind_name(actual.attributes));
  }
  if (expected.output != actual.output) {
    return fmt::format("output shapes differ ({}, {})", text(expected.output), text(actual.output));
  }
  if (inputs(expected, options) != inputs(actual, options)) return "inputs differ";
  return {};
}

}  // namespace

std::string first_difference(const Graph& expected, const Graph& actual, const CompareOptions& options) {
  const auto say = [](const std::string& what, const std::string& a, const std::string& b) {
    return fmt::format("'{}' and '{}': {}", a, b, what);
  };
  for (std::size_t i = 0; i < std::min(expected.operators().size(), actual.operators().size()); ++i) {
    const Operator& a = expected.operators()[i];
    const Operator& b = actual.operators()[i];
    if (a.unit != b.unit) return say("belong to different units", a.name, b.name);
    if (const std::string what = operator_difference(a, b, options); !what.empty()) return say(what, a.name, b.name);
  }
  for (std::size_t i = 0; i < std::min(expected.units().size(), actual.units().size()); ++i) {
    const Unit& a = expected.units()[i];
    const Unit& b = actual.units()[i];
    if (!b.hint.empty() && a.hint != b.hint) {
      return say(fmt::format("hints differ ({}, {})", a.hint, b.hint), a.name, b.name);
    }
  }
  if (expected.operators().size() != actual.operators().size()) {
    return fmt::format("{} and {} operators", expected.operators().size(), actual.operators().size());
  }
  if (expected.units().size() != actual.units().size()) {
    return fmt::format("{} and {} units", expected.units().size(), actual.units().size());
  }
  return {};
}

}  // namespace iosx::test
