
#include <random>

#include "core/base/text.h"
#include "core/search/part_graph.h"
#include "core/search/space_counts.h"

namespace iosx {

std::string BigCount::decimal() const {
  // 32-bit digits, highest first, divided by ten until nothing is left.
  std::array<std::uint64_t, 12> digits{};
  for (std::size_t i = 0; i < limbs_.size(); ++i) {
    digits[digits.size() - 1 - 2 * i] = limbs_[i] & 0xFFFFFFFFU;
    digits[digits.size() - 2 - 2 * i] = limbs_[i] >> 32;
  }
  std::string text;
  do {
    std::uint64_t remainder = 0;
    for (std::uint64_t& digit : digits) {
      const std::uint64_t value = (remainder << 32) | digit;
      digit = value / 10;
      remainder = value % 10;
    }
    text.push_back(static_cast<char>('0' + remainder));
  } while (std::any_of(digits.begin(), digits.end(), [](std::uint64_t digit) { return digit != 0; }));
  std::reverse(text.begin(), text.end());
  return text;
}

namespace {

constexpr std::size_t kFewUnits = 64;
constexpr std::size_t kDescents = 256;
constexpr std::size_t kFewDescents = 32;  // of larger ones

// From all units to none, removing one unit at a time that no remaining one needs.
struct Descent {
  std::vector<std::uint32_t> needed;   // by how many units that are left
  std::vector<std::uint32_t> lacking;  // predecessors that are gone
  std::vector<std::uint32_t> ends;     // left, and needed by none
  std::size_t returnable = 0;          // gone, with all predecessors left
  double weight = 1;                   // states that it stands for
};

class Estimate {
 public:
  Estimate(const Graph& graph, std::span<const UnitId> units) : before_(units.size()), after_(units.size()) {
    for (std::size_t i = 0; i < units.size(); ++i) {
      for (const UnitId unit : graph.predecessors(units[i])) {
        const auto at = std::ranges::lower_bound(units, unit);
        if (at == units.end() || *at != unit) continue;
        const auto j = static_cast<std::size_t>(at - units.begin());
        before_[i].push_back(static_cast<std::uint32_t>(j));
        after_[j].push_back(static_cast<std::uint32_t>(i));
      }
    }
  }

  double run() {
    std::vector<Descent> descents(after_.size() <= kFewUnits ? kDescents : kFewDescents, start());
    double states = 0;
    for (std::size_t left = after_.size(); left > 0; --left) {
      double sum = 0;
      double squares = 0;
      for (const Descent& descent : descents) {
        sum += descent.weight;
        squares += descent.weight * descent.weight;
      }
      const auto count = static_cast<double>(descents.size());
      states += sum / count;
      if (sum * sum < squares * count / 2) resample(descents, sum);  // few stand for most
      for (Descent& descent : descents) step(descent);
    }
    return states;
  }

 private:
  Descent start() const {
    Descent descent;
    descent.lacking.assign(after_.size(), 0);
    for (std::size_t i = 0; i < after_.size(); ++i) {
      descent.needed.push_back(static_cast<std::uint32_t>(after_[i].size()));
      if (after_[i].empty()) descent.ends.push_back(static_cast<std::uint32_t>(i));
    }
    return descent;
  }

  // One step is one of as many as there are ends, and what it leads to is reached in as many ways as units could be put
  // back: so on average every state is counted once.
  void step(Descent& descent) {
    descent.weight *= static_cast<double>(descent.ends.size());
    const std::size_t at = random_() % descent.ends.size();
    const std::uint32_t gone = descent.ends[at];
    descent.ends[at] = descent.ends.back();
    descent.ends.pop_back();
    ++descent.returnable;
    for (const std::uint32_t i : before_[gone]) {
      if (--descent.needed[i] == 0) descent.ends.push_back(i);
    }
    for (const std::uint32_t i : after_[gone]) {
      if (descent.lacking[i]++ == 0) --descent.returnable;
    }
    descent.weight /= static_cast<double>(descent.returnable);
  }

  // As many as before, each in proportion to its weight.
  void resample(std::vector<Descent>& descents, double sum) {
    const double each = sum / static_cast<double>(descents.size());
    double next = each * static_cast<double>(random_() - std::mt19937::min()) / 4294967296.0;
    std::vector<Descent> chosen;
    double so_far = 0;
    for (const Descent& descent : descents) {
      so_far += descent.weight;
      for (; next < so_far && chosen.size() < descents.size(); next += each) {
        chosen.push_back(descent);
        chosen.back().weight = each;
      }
    }
    while (chosen.size() < descents.size()) chosen.push_back(chosen.back());  // rounding
    descents = std::move(chosen);
  }

  std::mt19937 random_{1};  // NOLINT(cert-msc51-cpp): the same every time
  std::vector<std::vector<std::uint32_t>> before_;
  std::vector<std::vector<std::uint32_t>> after_;
};

// Counting takes about 100 bytes per state and nothing per transition; the user can cancel it.
constexpr SpaceBudget kBudget{.states = 50'000'000, .transitions = std::size_t{1} << 50};

}  // namespace

double estimated_states(const Graph& graph, std::span<const UnitId> units) { return Estimate(graph, units).run(); }

Result<PartCounts> count_parts(const Graph& graph, const SearchOptions& options, const JobContext& job) {
  const auto start = std::chrono::steady_clock::now();
  PartCounts counted;
  for (std::size_t p = 0; p < graph.parts().size(); ++p) {
    job.report(message("counting parts"), static_cast<std::int64_t>(p),
               static_cast<std::int64_t>(graph.parts().size()));
    const PartGraph part(graph, graph.parts()[p].units);
    auto space = count(part, options.rule, options.pruning, kBudget, job.stop);
    if (!space && space.error() != SpaceRefusal::kStopped) {
      const bool states = space.error() == SpaceRefusal::kTooManyStates;
      return fail(states ? message("has more than {} states", kBudget.states)
                         : message("has more than {} transitions", kBudget.transitions),
                  fmt::format("{}: part {} of {} units", printable(graph.name()), p + 1, part.size()),
                  message("lower r, s or the size of parts"));
    }
    counted.complete = space.has_value();
    if (!counted.complete) break;
    counted.parts.push_back({part.size(), part.width(), std::move(*space)});
  }
  counted.elapsed = std::chrono::steady_clock::now() - start;
  return counted;
}

}  // namespace iosx
