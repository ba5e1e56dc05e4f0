#include "core/analysis/order/verify_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/text.h"

namespace iosx {
namespace {

constexpr Micros kClock{0.001};      // of our own traces
constexpr Micros kRounded{1};        // of others'
constexpr std::size_t kListed = 20;  // pairs in a text

bool touches(const Kernel& kernel, BufferId buffer) {
  return kernel.writes.buffer == buffer ||
         std::ranges::any_of(kernel.reads, [&](const TensorView& view) { return view.buffer == buffer; });
}

std::string tensor_of(const ExecutionPlan& plan, const Kernel& first, const Kernel& then) {
  if (touches(then, first.writes.buffer)) return plan.buffers[first.writes.buffer.index()].name;
  return plan.buffers[then.writes.buffer.index()].name;
}

// Calls visit(first, then) for all pairs of kernels of which one needs the other.
template <typename Visit>
void for_each_need(const ExecutionPlan& plan, OrderReport& report, const Visit& visit) {
  const auto needs = needs_of(plan);
  for (std::size_t k = 0; k < needs.size(); ++k) {
    for (const KernelId need : needs[k]) {
      ++report.pairs;
      report.across += plan.kernel(need).lane != plan.kernels[k].lane ? 1 : 0;
      visit(need, KernelId(k));
    }
  }
}

UnorderedPair pair_of(const ExecutionPlan& plan, KernelId first, KernelId then, Micros overlap = Micros(0)) {
  const Kernel& one = plan.kernel(first);
  const Kernel& other = plan.kernel(then);
  return {one.name, other.name, tensor_of(plan, one, other), overlap};
}

std::string pair_text(const UnorderedPair& pair, bool recorded) {
  std::string text = fmt::format("{} has to come before {}, because of {}", pair.first, pair.then, pair.tensor);
  if (recorded) text += fmt::format("; it began {:.3f} us too early", pair.overlap.count());
  return text;
}

void add_lines(std::string& text, const std::vector<std::string>& lines) {
  for (std::size_t i = 0; i < std::min(lines.size(), kListed); ++i) text += printable("  " + lines[i]) + '\n';
  if (lines.size() > kListed) text += fmt::format("  and {} more\n", lines.size() - kListed);
}

nlohmann::ordered_json pairs_json(const std::vector<UnorderedPair>& pairs, bool recorded) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const UnorderedPair& pair : pairs) {
    list.push_back({{"first", pair.first}, {"then", pair.then}, {"tensor", pair.tensor}});
    if (recorded) list.back()["overlap_us"] = pair.overlap.count();
  }
  return list;
}

// The time of an operator in a recording, over all of its kernels.
struct OperatorSpan {
  Micros begin{0};
  Micros end{0};
  std::size_t entry = 0;
  std::size_t lane = 0;
};

std::vector<std::optional<OperatorSpan>> operator_spans(const ExternalRun& run, const Graph& graph,
                                                        std::size_t& guessed) {
  std::vector<std::optional<OperatorSpan>> spans(graph.operators().size());
  for (std::size_t i = 0; i < run.trace.kernels.size(); ++i) {
    const KernelSpan& kernel = run.trace.kernels[i];
    const std::size_t entry = run.of_kernel[i];
    const OperatorMatch& match = run.entries[entry].match;
    if (match.rule == MatchRule::kOrder) {
      guessed += match.operators.size();
      continue;
    }
    for (const OperatorId id : match.operators) {
      auto& span = spans[id.index()];
      if (!span) {
        span = OperatorSpan{kernel.begin, kernel.end, entry, kernel.lane};
      } else {
        span->begin = std::min(span->begin, kernel.begin);
        span->end = std::max(span->end, kernel.end);
      }
    }
  }
  return spans;
}

}  // namespace

OrderReport order_of_plan(const ExecutionPlan& plan) {
  OrderReport report;
  const LaneClocks clocks(plan);
  for_each_need(plan, report, [&](KernelId first, KernelId then) {
    if (!clocks.before(first, then)) report.unordered.push_back(pair_of(plan, first, then));
  });
  return report;
}

OrderReport order_of_trace(const ExecutionPlan& plan, const Trace& trace) {
  OrderReport report{.recorded = true};
  std::vector<const KernelSpan*> spans(plan.kernels.size(), nullptr);
  for (const KernelSpan& span : trace.kernels) spans[span.kernel.index()] = &span;
  const LaneClocks clocks(plan);
  for_each_need(plan, report, [&](KernelId first, KernelId then) {
    const KernelSpan* const one = spans[first.index()];
    const KernelSpan* const other = spans[then.index()];
    if (one == nullptr || other == nullptr) return;
    const Micros overlap = one->end - other->begin;
    if (overlap <= kClock) return;
    (clocks.before(first, then) ? report.early : report.unordered).push_back(pair_of(plan, first, then, overlap));
  });
  if (trace.kernels.empty()) report.pairs = report.across = 0;
  return report;
}

OrderReport order_of_recording(const ExternalRun& run, const Graph& graph) {
  OrderReport report{.what = run.label, .recorded = true};
  const auto spans = operator_spans(run, graph, report.guessed);
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const auto& reader = spans[i];
    if (!reader) continue;
    std::vector<OperatorId> seen;
    for (const Value& value : graph.operators()[i].inputs) {
      const auto& writer = spans[value.producer.index()];
      const bool again = std::ranges::find(seen, value.producer) != seen.end();
      if (!writer || writer->entry == reader->entry || again) continue;
      seen.push_back(value.producer);
      ++report.pairs;
      report.across += writer->lane != reader->lane ? 1 : 0;
      const Micros overlap = writer->end - reader->begin;
      const std::string& tensor = graph.op(value.producer).name;
      if (overlap > kRounded) report.unordered.push_back({tensor, graph.operators()[i].name, tensor, overlap});
    }
  }
  return report;
}

std::string order_text(const OrderReport& report) {
  std::string text = printable(report.what) + ": ";
  if (report.pairs == 0) return text + "nothing that needs an order is known of it\n";
  const std::size_t mistakes = report.mistakes();
  std::string verdict = !report.recorded ? "all have it" : report.early.empty() ? "all came in it in this run" : "";
  if (verdict.empty()) verdict = "all have it in the plan, and came in it in this run but for those below";
  if (mistakes > 0) verdict = fmt::format("{} {}", mistakes, report.recorded ? "came in the wrong one" : "have none");
  text += fmt::format("{} pairs of accesses need an order, {} of them on two lanes; {}\n", report.pairs, report.across,
                      verdict);
  if (report.guessed > 0) {
    text += fmt::format("  {} operators are known by their place in the recording alone, and were left out\n",
                        report.guessed);
  }
  std::vector<std::string> lines;
  for (const UnorderedPair& pair : report.unordered) lines.push_back(pair_text(pair, report.recorded));
  lines.insert(lines.end(), report.found.begin(), report.found.end());
  add_lines(text, lines);
  if (report.early.empty()) return text;
  text += fmt::format(
      "  {} began before what they wait for had ended, though the plan orders them. Kernels that are launched "
      "programmatically do so and wait inside; whether these are, the recording does not say:\n",
      report.early.size());
  lines.clear();
  for (const UnorderedPair& pair : report.early) lines.push_back(pair_text(pair, true));
  add_lines(text, lines);
  return text;
}

nlohmann::ordered_json order_json(const OrderReport& report) {
  nlohmann::ordered_json json{
      {"what", report.what}, {"recorded", report.recorded}, {"pairs", report.pairs}, {"across_lanes", report.across}};
  if (report.guessed > 0) json["guessed"] = report.guessed;
  json["unordered"] = pairs_json(report.unordered, report.recorded);
  if (!report.early.empty()) json["began_early"] = pairs_json(report.early, true);
  if (!report.found.empty()) json["found"] = report.found;
  return json;
}

}  // namespace iosx
