#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <sstream>

#include "core/base/trimmed.h"
#include "core/model/graph/builder.h"
#include "core/operators/candidates.h"

namespace iosx {
namespace {

constexpr std::size_t kMostOperators = 20'000;
constexpr std::int64_t kMostSize = 1'000'000;

using Sizes = std::map<std::string, std::int64_t, std::less<>>;

// One line: a kind, and the values of each of its sizes.
struct GridLine {
  std::string kind;
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> sizes;
};

// The sizes of a kind, with the defaults of a line.
struct GridKind {
  std::string_view kind;
  std::vector<std::pair<std::string_view, std::int64_t>> sizes;  // 0: it must be given
};
const std::vector<GridKind>& grid_kinds() {
  static const std::vector<GridKind> kinds{
      {"conv", {{"channels", 0}, {"filters", 0}, {"size", 0}, {"kernel", 1}, {"stride", 1}, {"groups", 1}}},
      {"depthwise", {{"channels", 0}, {"size", 0}, {"kernel", 3}, {"stride", 1}}},
      {"linear", {{"features", 0}, {"outputs", 0}, {"rows", 1}}},
      {"matmul", {{"rows", 0}, {"columns", 0}, {"depth", 0}, {"matrices", 1}}},
      {"pool", {{"channels", 0}, {"size", 0}, {"kernel", 3}, {"stride", 2}}},
      {"relu", {{"channels", 0}, {"size", 0}}},
      {"add", {{"channels", 0}, {"size", 0}}},
      {"mul", {{"channels", 0}, {"size", 0}}},
      {"softmax", {{"channels", 0}, {"size", 0}}},
  };
  return kinds;
}

Result<GridLine> line_of(const std::string& text) {
  std::istringstream words(text);
  GridLine line;
  words >> line.kind;
  const auto kind = std::ranges::find(grid_kinds(), line.kind, &GridKind::kind);
  if (kind == grid_kinds().end()) {
    return fail(message("'{}' is not a kind of operator", line.kind.substr(0, 40)), {},
                message("one of conv, depthwise, linear, matmul, pool, relu, add, mul, softmax"));
  }
  Sizes known(kind->sizes.begin(), kind->sizes.end());
  std::map<std::string, std::vector<std::int64_t>, std::less<>> given;
  for (std::string word; words >> word;) {
    const std::size_t at = word.find('=');
    const std::string name = word.substr(0, at);
    if (at == std::string::npos || !known.contains(name)) {
      return fail(message("'{}' is not a size of {}", word.substr(0, 40), line.kind));
    }
    std::istringstream values(word.substr(at + 1));
    for (std::string value; std::getline(values, value, ',');) {
      std::int64_t number = 0;
      const auto [end, wrong] = std::from_chars(value.data(), value.data() + value.size(), number);
      if (wrong != std::errc() || end != value.data() + value.size() || number < 1 || number > kMostSize) {
        return fail(message("'{}' is not a size from 1 to {}", value.substr(0, 40), kMostSize), name);
      }
      given[name].push_back(number);
    }
  }
  for (const auto& [name, usual] : kind->sizes) {
    auto& values = given[std::string(name)];
    if (values.empty() && usual == 0) return fail(message("does not give '{}'", std::string(name)), line.kind);
    if (values.empty()) values.push_back(usual);
    line.sizes.emplace_back(name, values);
  }
  return line;
}

class GridGraph {
 public:
  GridGraph() : builder_("grid") {}

  Result<void> add(const GridLine& line, std::size_t number) {
    std::size_t count = 1;
    for (const auto& [name, values] : line.sizes) count *= values.size();
    if (made_ + count > kMostOperators) return fail(message("makes more than {} operators", kMostOperators));
    for (std::size_t i = 0; i < count; ++i) {
      Sizes sizes;
      std::size_t rest = i;
      for (const auto& [name, values] : line.sizes) {
        sizes[name] = values[rest % values.size()];
        rest /= values.size();
      }
      add_one(line.kind, sizes, fmt::format("{}_{}_{}", line.kind, number, i));
      ++made_;
    }
    if (builder_.error()) return tl::unexpected(*builder_.error());
    return {};
  }
  std::size_t made() const { return made_; }
  Result<Graph> build() && { return std::move(builder_).build(); }

 private:
  void add_one(const std::string& kind, const Sizes& sizes, const std::string& name) {
    const auto size = [&](std::string_view which) { return sizes.find(which)->second; };
    const auto input = [&](Shape shape, const char* suffix = "") {
      return builder_.input(fmt::format("{}_in{}", name, suffix), shape);
    };
    const auto image = [&] { return Shape{size("channels"), size("size"), size("size")}; };
    if (kind == "conv" || kind == "depthwise") {
      const std::int64_t kernel = size("kernel");
      Conv conv;
      conv.out_channels = kind == "conv" ? size("filters") : size("channels");
      conv.kernel = {kernel, kernel};
      conv.stride = {size("stride"), size("stride")};
      conv.padding = {(kernel - 1) / 2, (kernel - 1) / 2};
      conv.groups = kind == "conv" ? size("groups") : size("channels");
      conv.activation = Activation::kRelu;
      builder_.add(name, conv, {input(image())});
    } else if (kind == "linear") {
      Linear linear;
      linear.out_features = size("outputs");
      const bool rows = size("rows") > 1;
      linear.axis = rows ? 1 : 0;
      builder_.add(name, linear, {input(rows ? Shape{size("rows"), size("features")} : Shape{size("features")})});
    } else if (kind == "matmul") {
      const Value a = input(Shape{size("matrices"), size("rows"), size("depth")}, "_a");
      const Value b = input(Shape{size("matrices"), size("depth"), size("columns")}, "_b");
      builder_.add(name, MatMul{}, {a, b});
    } else if (kind == "pool") {
      const std::int64_t kernel = size("kernel");
      Pool pool;
      pool.kernel = {kernel, kernel};
      pool.stride = {size("stride"), size("stride")};
      pool.padding = {(kernel - 1) / 2, (kernel - 1) / 2};
      builder_.add(name, pool, {input(image())});
    } else if (kind == "relu") {
      builder_.add(name, Activate{}, {input(image())});
    } else if (kind == "softmax") {
      builder_.add(name, Softmax{}, {input(image())});
    } else {
      const Value a = input(image(), "_a");
      const Value b = input(image(), "_b");
      builder_.add(name, kind == "add" ? Attributes(Add{}) : Attributes(Mul{}), {a, b});
    }
  }

  GraphBuilder builder_;
  std::size_t made_ = 0;
};

}  // namespace

Result<Graph> grid_of(std::string_view text, const std::string& origin) {
  GridGraph graph;
  std::size_t number = 0;
  const auto wrong = [&](Error error) {
    const std::string place =
        error.where.empty() ? fmt::format("line {}", number) : fmt::format("line {}: {}", number, error.where);
    return fail(std::move(error.what), fmt::format("{}: {}", origin, place), std::move(error.remedy));
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    line = trimmed(line.substr(0, line.find('#')));
    if (line.empty()) continue;
    auto read = line_of(std::string(line));
    if (!read) return wrong(std::move(read.error()));
    if (auto added = graph.add(*read, number); !added) return wrong(std::move(added.error()));
  }
  if (graph.made() == 0)
    return fail(message("has no operators"), origin,
                message("give lines such as \"conv channels=64 filters=64 size=28\""));
  return std::move(graph).build();
}

}  // namespace iosx
