#include "core/analysis/difference/finding.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/base/text.h"

namespace iosx {
namespace {

constexpr std::size_t kMostParts = 3;
constexpr double kMostOfIt = 0.7;          // parts are named until they hold so much of what goes the same way
constexpr double kShownDifference = 5e-4;  // relative; less is the same to people
constexpr double kToldRatio = 1.005;       // smaller ratios would read 1.00

// The fastest but the baseline, a sample.
std::size_t fastest_other(std::span<const Subject> subjects, const PartMatrix& matrix) {
  std::size_t best = matrix.baseline == 0 ? 1 : 0;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    if (i == matrix.baseline) continue;
    if (matrix.whole[i].speedup.value > matrix.whole[best].speedup.value) best = i;
  }
  return best;
}

Finding::Kind kind_of(const Speedup& speedup) {
  if (std::abs(speedup.value - 1) <= kShownDifference) return Finding::Kind::kSame;
  if (!speedup.known()) return Finding::Kind::kUnknown;
  if (speedup.within_noise()) return Finding::Kind::kSame;
  return speedup.value > 1 ? Finding::Kind::kFaster : Finding::Kind::kBaseline;
}

// Finds where most of the difference in the direction of the whole lies.
void find_parts(const PartMatrix& matrix, Finding& finding) {
  const Millis whole = matrix.whole[finding.subject].delta.value;
  const Verdict way = whole < Millis{0} ? Verdict::kFaster : Verdict::kSlower;
  const auto delta = [&](std::size_t row) { return matrix.rows[row].cells[finding.subject].delta; };
  std::vector<std::size_t> rows;
  Millis same_way{0};
  for (std::size_t row = 0; row < matrix.rows.size(); ++row) {
    if (delta(row).verdict() != way) continue;
    rows.push_back(row);
    same_way += delta(row).value;
  }
  std::ranges::stable_sort(rows, std::greater<>{}, [&](std::size_t row) { return std::abs(delta(row).value.count()); });
  for (const std::size_t row : rows) {
    if (finding.parts.size() == kMostParts || finding.in_parts / same_way >= kMostOfIt) break;
    finding.parts.push_back(row);
    finding.in_parts += delta(row).value;
  }
  const double share = finding.in_parts / whole;
  if (!finding.parts.empty() && share <= 1) finding.share = share;
}

std::string millis(Millis value) {
  const double ms = value.count();
  return fmt::format("{:.{}f}", ms, ms < 0.1 ? 4 : ms < 1 ? 3 : ms < 10 ? 2 : ms < 100 ? 1 : 0);
}

std::string label(const Subject& subject) { return printable(subject.label); }

// "2.85 → 1.76 ms, simulated", with both origins where they differ.
std::string latencies(const Subject& baseline, const Subject& subject, Per per) {
  const Millis before = told(baseline, baseline.schedule().latency, per).value;
  const Millis after = told(subject, subject.schedule().latency, per).value;
  const std::string_view unit = per == Per::kSample ? "ms per sample" : "ms";
  const std::string of_before = printable(origin_words(baseline));
  const std::string of_after = printable(origin_words(subject));
  if (of_before == of_after) return fmt::format("{} → {} {}, {}", millis(before), millis(after), unit, of_after);
  return fmt::format("{} {} {} → {} {} {}", millis(before), unit, of_before, millis(after), unit, of_after);
}

std::string names(const PartMatrix& matrix, const std::vector<std::size_t>& rows) {
  std::vector<std::string> list;
  list.reserve(rows.size());
  for (const std::size_t row : rows) list.push_back(printable(matrix.rows[row].name));
  if (list.size() == 1) return list.front();
  const std::string last = list.back();
  list.pop_back();
  return fmt::format("{} and {}", fmt::join(list, ", "), last);
}

std::string parts_clause(const PartMatrix& matrix, const Finding& finding) {
  if (finding.parts.empty() || finding.parts.size() == matrix.rows.size()) return {};  // nowhere in particular
  const std::string where = fmt::format("{} of {} parts", finding.parts.size(), matrix.rows.size());
  if (finding.share) {
    return fmt::format(" {:.0f} % of the difference lies in {}: {}.", *finding.share * 100, where,
                       names(matrix, finding.parts));
  }
  return fmt::format(" {} {} {} ms, more than the whole because other parts go the other way: {}.", where,
                     finding.in_parts < Millis{0} ? "win" : "lose", millis(Millis(std::abs(finding.in_parts.count()))),
                     names(matrix, finding.parts));
}

std::string cautions(std::span<const Subject> subjects, const Finding& finding) {
  std::string text;
  const Subject& baseline = subjects[finding.baseline];
  const Subject& subject = subjects[finding.subject];
  if (finding.networks_differ) text += " The networks are not the same.";
  if (finding.origins_differ) text += " One number is a model's, the other a measurement's.";
  if (finding.batches_differ) {
    text += fmt::format(" Batches of {} and {} are compared per sample.", baseline.comparison->batch,
                        subject.comparison->batch);
  }
  return text;
}

std::string claim(std::span<const Subject> subjects, const Finding& finding) {
  const Subject& baseline = subjects[finding.baseline];
  const Subject& subject = subjects[finding.subject];
  const std::string numbers = latencies(baseline, subject, finding.per);
  switch (finding.kind) {
    case Finding::Kind::kFaster:
      if (finding.ratio < kToldRatio) {
        return fmt::format("{} is a little faster than {} ({})", label(subject), label(baseline), numbers);
      }
      return fmt::format("{} is {:.2f}× as fast as {} ({})", label(subject), finding.ratio, label(baseline), numbers);
    case Finding::Kind::kBaseline:
      return fmt::format("{}{} takes {:.{}f}× as long as {} ({})",
                         finding.fastest ? "Nothing is faster than the baseline: " : "", label(subject),
                         1 / finding.ratio, 1 / finding.ratio < kToldRatio ? 4 : 2, label(baseline), numbers);
    case Finding::Kind::kSame:
      return fmt::format(
          "{} is as fast as {}{} ({})", label(subject), label(baseline),
          subject.schedule().latency.spread + baseline.schedule().latency.spread > Millis{0} ? " within the noise" : "",
          numbers);
    case Finding::Kind::kUnknown:
      return fmt::format("Too few runs to tell {} from {} ({})", label(subject), label(baseline), numbers);
    case Finding::Kind::kNothing: break;
  }
  return {};
}

}  // namespace

Finding find_out(std::span<const Subject> subjects, const PartMatrix& matrix, std::optional<std::size_t> of) {
  Finding finding{.baseline = matrix.baseline, .subject = matrix.baseline, .parts = {}, .share = {}};
  if (subjects.size() < 2) return finding;
  const std::size_t fastest = fastest_other(subjects, matrix);
  finding.subject = of.value_or(fastest);
  finding.fastest = finding.subject == fastest;
  const Subject& baseline = subjects[finding.baseline];
  const Subject& subject = subjects[finding.subject];
  const Speedup speedup = matrix.whole[finding.subject].speedup;
  finding.kind = kind_of(speedup);
  finding.ratio = speedup.value;
  finding.batches_differ = baseline.comparison->batch != subject.comparison->batch;
  finding.per = matrix.per;
  finding.networks_differ = baseline.graph().name() != subject.graph().name() ||
                            baseline.graph().operators().size() != subject.graph().operators().size();
  const auto simulated = [](const Subject& one) { return is_modelled(one.schedule().latency.origin); };
  finding.origins_differ = simulated(baseline) != simulated(subject);
  const bool told = finding.kind == Finding::Kind::kFaster || finding.kind == Finding::Kind::kBaseline;
  const bool stages = matrix.has_times[finding.baseline] && matrix.has_times[finding.subject];
  if (told && stages) find_parts(matrix, finding);
  return finding;
}

std::string finding_sentence(std::span<const Subject> subjects, const PartMatrix& matrix, const Finding& finding) {
  if (subjects.empty()) return "Nothing to compare yet.";
  if (finding.kind == Finding::Kind::kNothing) {
    const Subject& only = subjects.front();
    return fmt::format("{} takes {} ms ({}).", label(only), millis(only.schedule().latency.value),
                       printable(origin_words(only)));
  }
  return claim(subjects, finding) + '.' + parts_clause(matrix, finding) + cautions(subjects, finding);
}

}  // namespace iosx
