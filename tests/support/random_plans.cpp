#include "tests/support/random_plans.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/model/graph/builder.h"
#include "core/model/schedule/baselines.h"
#include "core/model/schedule/merge.h"
#include "tests/support/lower.h"

namespace iosx::test {
namespace {

constexpr std::int64_t kPixels = 2;         // along each axis
constexpr std::int64_t kMostChannels = 48;  // of a concatenation

Conv conv(std::int64_t out_channels, std::int64_t kernel, Activation activation) {
  Conv made{.out_channels = out_channels,
            .kernel = {kernel, kernel},
            .padding = {kernel / 2, kernel / 2},
            .activation = activation};
  return made;
}

class RandomGraph {
 public:
  RandomGraph(std::uint64_t seed, std::size_t n) : builder_("random"), random_(seed), n_(n) {}

  Graph run() && {
    made_.push_back(builder_.input("in", Shape{8, kPixels, kPixels}));
    made_.push_back(builder_.input("second", Shape{4, kPixels, kPixels}));
    const Tensor value({4, kPixels, kPixels}, std::vector<float>(4 * kPixels * kPixels, 1));
    made_.push_back(builder_.constant("fixed", value));
    while (units_ < n_) add_something();
    auto graph = std::move(builder_).build();
    IOS_CHECK(graph.has_value());
    return *std::move(graph);
  }

 private:
  bool chance(unsigned percent) { return random_() % 100 < percent; }
  std::string name() { return fmt::format("u{}", units_++); }

  const Value& any() {
    const std::size_t recent = std::min<std::size_t>(made_.size(), 8);
    return chance(70) ? made_[made_.size() - 1 - random_() % recent] : made_[random_() % made_.size()];
  }

  Value sliced(Value value) {
    if (value.channels() < 4 || chance(80)) return value;
    const std::int64_t width = value.channels() / 2;
    const auto begin = static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(width));
    return Value{value.producer, begin, begin + width};
  }

  Conv any_conv() {
    return conv(chance(50) ? 4 : 8, chance(50) ? 1 : 3, chance(50) ? Activation::kRelu : Activation::kIdentity);
  }

  void add_something() {
    const auto kind = random_() % 100;
    if (kind < 25) {
      made_.push_back(builder_.add(name(), any_conv(), {sliced(any())}));
    } else if (kind < 40) {
      add_mergeable();
    } else if (kind < 60) {
      add_residual();
    } else if (kind < 70) {
      made_.push_back(builder_.add(name(), Activate{{ActivationKind::kClip, -1, 1}}, {sliced(any())}));
    } else {
      add_concat();
    }
  }

  void add_mergeable() {
    const Value input = sliced(any());
    const std::size_t count = 2 + random_() % 2;
    for (std::size_t i = 0; i < count; ++i) {
      made_.push_back(builder_.add(name(), conv(4, chance(50) ? 1 : 3, Activation::kRelu), {input}));
    }
    if (!chance(50)) return;
    std::vector<Value> joined(made_.end() - static_cast<std::ptrdiff_t>(count), made_.end());
    if (chance(50)) joined.push_back(sliced(any()));
    made_.push_back(builder_.add(name(), Concat{}, joined));
  }

  // conv, sum and activation in one to three units, the sum's operands in any order.
  void add_residual() {
    std::vector<Value> others;
    std::ranges::copy_if(made_, std::back_inserter(others), [](const Value& value) { return value.channels() == 4; });
    const Value other = others[random_() % others.size()];
    const Value input = sliced(any());
    const bool one_unit = chance(50);
    const bool activation = chance(60);
    const bool before = chance(20);  // the convolution starts before its partner does
    if (one_unit) builder_.begin_unit(name());
    const auto part = [&](const char* what) { return one_unit ? fmt::format("u{}.{}", units_ - 1, what) : name(); };
    Value last = builder_.add(part("conv"), conv(4, 1, Activation::kIdentity), {input});
    if (!one_unit && chance(30)) made_.push_back(last);  // then others may read it
    const Value partner =
        before ? builder_.add(part("late"), conv(4, 3, Activation::kIdentity), {sliced(input)}) : other;
    std::vector<Value> summands{last, partner};
    if (chance(50)) std::swap(summands[0], summands[1]);
    last = builder_.add(part("add"), Add{}, std::move(summands));
    if (activation) last = builder_.add(part("act"), Activate{Activation::kRelu}, {last});
    if (one_unit) builder_.end_unit();
    made_.push_back(last);
  }

  void add_concat() {
    std::vector<Value> inputs;
    std::int64_t channels = 0;
    const auto take = [&](const Value& value) {
      if (channels + value.channels() > kMostChannels) return;
      channels += value.channels();
      inputs.push_back(value);
    };
    if (chance(40) && grown_.valid()) take(growing_);
    for (std::size_t i = 0; i < 1 + random_() % 4; ++i) take(sliced(any()));
    if (inputs.empty()) return;
    const bool in_a_unit = chance(30);
    if (in_a_unit) {
      builder_.begin_unit(name());
      const Value own = builder_.add(fmt::format("u{}.own", units_ - 1), any_conv(), {inputs.front()});
      if (channels + own.channels() <= kMostChannels) inputs.push_back(own);
    }
    made_.push_back(builder_.add(in_a_unit ? fmt::format("u{}.concat", units_ - 1) : name(), Concat{}, inputs));
    if (in_a_unit) builder_.end_unit();
    growing_ = made_.back();
    grown_ = growing_.producer;
  }

  GraphBuilder builder_;
  std::mt19937_64 random_;  // used without distributions: those differ between standard libraries
  const std::size_t n_;
  std::size_t units_ = 0;
  std::vector<Value> made_;
  Value growing_;  // the last concatenation
  OperatorId grown_;
};

using Steps = std::vector<Step>;

UnitId first_unit(const Step& step) { return *std::ranges::min_element(step.units); }

// Merges random ones of the units that can be.
Steps random_steps(const Graph& graph, std::vector<UnitId> units, std::mt19937& random) {
  Steps steps;
  while (!units.empty()) {
    Step step{{units.front()}};
    units.erase(units.begin());
    for (std::size_t i = 0; i < units.size();) {
      step.units.push_back(units[i]);
      if (random() % 4 != 0 && merge(graph, step.units)) {
        units.erase(units.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        step.units.pop_back();
        ++i;
      }
    }
    std::ranges::shuffle(step.units, random);
    steps.push_back(std::move(step));
  }
  return steps;
}

bool reads(const Graph& graph, const Step& step, const Steps& group) {
  for (const UnitId unit : step.units) {
    for (const UnitId before : graph.predecessors(unit)) {
      for (const Step& other : group) {
        if (std::ranges::find(other.units, before) != other.units.end()) return true;
      }
    }
  }
  return false;
}

Stage random_stage(const Graph& graph, const std::vector<UnitId>& units, std::mt19937& random) {
  std::vector<Steps> groups;
  for (Step& step : random_steps(graph, units, random)) {
    Steps joined;
    std::erase_if(groups, [&](const Steps& group) {
      const bool join = reads(graph, step, group) || random() % 8 == 0;
      if (join) joined.insert(joined.end(), group.begin(), group.end());
      return join;
    });
    joined.push_back(std::move(step));
    groups.push_back(std::move(joined));
  }
  Stage stage;
  for (Steps& group : groups) {
    std::ranges::sort(group, {}, first_unit);
    stage.groups.push_back(Group{std::move(group)});
  }
  return stage;
}

}  // namespace

Graph random_concat_graph(std::uint64_t seed, std::size_t n) { return RandomGraph(seed, n).run(); }

Graph dense_block(std::size_t layers) {
  GraphBuilder builder("dense_block");
  Value last = builder.add("x", conv(4, 1, Activation::kRelu), {builder.input("in", {4, kPixels, kPixels})});
  std::vector<Value> made{last};
  for (std::size_t i = 1; i <= layers; ++i) {
    made.push_back(builder.add(fmt::format("y{}", i), conv(4, 3, Activation::kRelu), {last}));
    last = builder.add(fmt::format("concat{}", i), Concat{}, made);
  }
  return std::move(builder).build().value();
}

Graph long_and_short() {
  GraphBuilder builder("long_and_short");
  const Value in = builder.input("in", {4, 2, 2});
  const Value a = builder.add("a", Activate{}, {in});
  const Value b = builder.add("b", Activate{}, {a});
  const Value c = builder.add("c", Activate{}, {in});
  builder.add("sum", Add{}, {b, c});
  return std::move(builder).build().value();
}

ExecutionPlan four_kernels() {
  const Graph graph = long_and_short();
  return lower(graph, one_by_one_schedule(graph), 1);
}

Schedule random_schedule(const Graph& graph, std::mt19937& random) {
  Schedule schedule{"random", {}};
  for (std::size_t next = 0; next < graph.units().size();) {
    const std::size_t count = std::min<std::size_t>(1 + random() % 6, graph.units().size() - next);
    std::vector<UnitId> units;
    for (std::size_t i = 0; i < count; ++i) units.emplace_back(next + i);
    schedule.stages.push_back(random_stage(graph, units, random));
    next += count;
  }
  return schedule;
}

LaneSchedule random_lanes(const ExecutionPlan& staged, std::size_t lanes, std::mt19937& random) {
  const auto needs = needs_of(staged);
  std::vector<std::size_t> missing;
  std::vector<std::vector<KernelId>> readers(needs.size());
  std::vector<KernelId> ready;
  for (std::size_t k = 0; k < needs.size(); ++k) {
    missing.push_back(needs[k].size());
    for (const KernelId need : needs[k]) readers[need.index()].emplace_back(k);
    if (needs[k].empty()) ready.emplace_back(k);
  }
  LaneSchedule result;
  while (!ready.empty()) {
    std::swap(ready[random() % ready.size()], ready.back());
    const KernelId next = ready.back();
    ready.pop_back();
    result.launches.push_back({next, random() % lanes});
    for (const KernelId reader : readers[next.index()]) {
      if (--missing[reader.index()] == 0) ready.push_back(reader);
    }
  }
  return result;
}

}  // namespace iosx::test
