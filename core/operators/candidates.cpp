#include "core/operators/candidates.h"

#include <algorithm>
#include <map>
#include <random>
#include <sstream>
#include <unordered_set>

#include "core/base/text.h"
#include "core/model/graph/builder.h"

namespace iosx {
namespace {

// The order of units by tensors.
class Order {
 public:
  explicit Order(const Graph& graph) : size_(graph.units().size()), before_(size_, std::vector<bool>(size_, false)) {
    for (std::size_t u = 0; u < size_; ++u) {
      for (const UnitId reads : graph.predecessors(UnitId(u))) {
        before_[u][reads.index()] = true;
        for (std::size_t i = 0; i < reads.index(); ++i) {
          if (before_[reads.index()][i]) before_[u][i] = true;
        }
      }
    }
  }
  bool ordered(UnitId a, UnitId b) const {
    return a == b || before_[a.index()][b.index()] || before_[b.index()][a.index()];
  }

 private:
  std::size_t size_;
  std::vector<std::vector<bool>> before_;
};

class Draw {
 public:
  Draw(const Graph& graph, const CandidateOptions& options)
      : graph_(graph), order_(graph), options_(options), random_(options.seed) {}

  // Returns a stage of several units at random; empty where the draw came to nothing.
  Stage stage() {
    const auto units = static_cast<std::size_t>(graph_.units().size());
    const int wanted = 1 + number(options_.side_by_side);
    // Half of them are of one neighbourhood, as in the stages of a search, the others from anywhere.
    const bool near = number(2) == 0;
    constexpr int kNear = 24;
    const auto first = static_cast<std::size_t>(number(static_cast<int>(units)));
    Stage made;
    std::vector<UnitId> used;
    for (int tries = 0; static_cast<int>(made.groups.size()) < wanted && tries < 20; ++tries) {
      std::size_t at = first;
      if (!made.groups.empty()) {
        at = near ? first + static_cast<std::size_t>(number(kNear))
                  : static_cast<std::size_t>(number(static_cast<int>(units)));
      }
      if (at >= units) continue;
      const std::vector<UnitId> row = chain(UnitId(at));
      const bool free = std::ranges::none_of(row, [&](UnitId unit) {
        return std::ranges::any_of(used, [&](UnitId other) { return order_.ordered(unit, other); });
      });
      if (!free) continue;
      Group group;
      for (const UnitId unit : row) group.steps.push_back(Step{{unit}});
      used.insert(used.end(), row.begin(), row.end());
      made.groups.push_back(std::move(group));
    }
    if (used.size() < 2) return {};
    return made;
  }

 private:
  int number(int below) { return std::uniform_int_distribution<int>(0, std::max(below, 1) - 1)(random_); }

  // Units in a row, each reading the one before.
  std::vector<UnitId> chain(UnitId first) {
    std::vector<UnitId> row{first};
    for (int left = number(options_.in_a_row); left > 0; --left) {
      const auto next = graph_.successors(row.back());
      if (next.empty()) break;
      row.push_back(next[static_cast<std::size_t>(number(static_cast<int>(next.size())))]);
    }
    return row;
  }

  const Graph& graph_;
  Order order_;
  const CandidateOptions& options_;
  std::mt19937_64 random_;
};

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
      const auto number = read_number<std::int64_t>(value);
      if (!number || *number < 1 || *number > kMostSize) {
        return fail(message("'{}' is not a size from 1 to {}", value.substr(0, 40), kMostSize), name);
      }
      given[name].push_back(*number);
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

std::vector<Candidate> candidates_of(StagePlanner& planner, const CandidateOptions& options) {
  const Graph& graph = planner.graph();
  std::vector<Stage> stages;
  for (std::size_t u = 0; u < graph.units().size(); ++u) {
    stages.push_back(Stage{{Group{{Step{{UnitId(u)}}}}}});
  }
  if (graph.units().size() > 1) {
    Draw draw(graph, options);
    for (std::size_t i = 0; i < options.together; ++i) {
      if (Stage stage = draw.stage(); !stage.groups.empty()) stages.push_back(std::move(stage));
    }
  }
  std::vector<Candidate> made;
  std::unordered_set<StageKey> seen;
  std::vector<StagePlanner::Canonical> fresh;
  for (StagePlanner::Canonical& stage : planner.canonical(stages)) {
    if (seen.insert(stage.key).second) fresh.push_back(std::move(stage));
  }
  const std::vector<ExecutionPlan> plans = planner.plans(fresh);
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    StageFeatures features = stage_features(plans[i]);
    if (!features.empty()) made.push_back({std::move(fresh[i]), std::move(features)});
  }
  return made;
}

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
