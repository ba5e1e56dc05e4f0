#pragma once

#include <QString>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/analysis/difference/subject.h"
#include "core/base/duration.h"

namespace iosx {

// The wording of latencies and schedules, the same in every view.

QString schedule_kind_title(ScheduleKind schedule_kind);
QString schedule_title(ScheduleKind schedule_kind, const std::string& title);  // `title` as in ScheduleResult
QString schedule_title(const ScheduleResult& result);  // "IOS-Both", "IOS-Both 2"; a file's schedule by its name
QString duration_text(Millis duration);                // three significant digits: "4.03 ms", "87.2 µs"
QString latency_text(const Latency& latency);          // with its spread, if any: "4.03 ± 0.05 ms"
// Returns the same of a result or one of its stages, "unknown" where the comparison does not know it.
QString latency_text(const Comparison& comparison, const ScheduleResult& result);
QString latency_text(const Comparison& comparison, const ScheduleResult& result, std::size_t stage);
QString ratio_text(double ratio);    // "1.60×"
QString count_text(double value);    // "1,250"
QString percent_text(double share);  // 0.24 → "24 %", 0.004 → "0.4 %"
QString origin_text(Origin origin);
QString origin_id(Origin origin);  // the same in every language, for documents

// The relation of a schedule's end-to-end latency to another's. No difference is claimed where the interval of the
// core's speedup() contains 1, nor below the tenth of a percent that the texts can show; kUnknown: too few runs.
enum class Difference { kFaster, kSlower, kSame, kUnknown };
Difference difference(const ScheduleResult& result, const ScheduleResult& baseline);
Difference difference(const Speedup& ratio);
// Returns whether the two differ by no more than their noise.
bool within_noise(const ScheduleResult& a, const ScheduleResult& b);
// Returns "1.60×", "≈ 1×" within the noise, "1.60× ?" with too few runs.
QString speed_text(const ScheduleResult& result, const ScheduleResult& baseline);
QString speed_text(const Speedup& ratio);
// Returns whether nothing in the comparison is faster than the result by more than the noise; false where latencies are
// unknown.
bool is_fastest(const Comparison& comparison, std::size_t result);

// Returns the latency of sequential over that of the result: above 1 is faster. None without sequential.
std::optional<double> speed_up(const Comparison& comparison, std::size_t result);
// Returns "1.60× vs. sequential", "same as sequential within the noise"; empty for sequential itself or without it.
QString speed_up_text(const Comparison& comparison, std::size_t result);
// Returns the same against any baseline; empty for the baseline itself.
QString speed_up_text(const ScheduleResult& result, const ScheduleResult& baseline);

// Returns how much faster lanes are than the fastest stages, and why: "210 µs less than IOS-Both: no barriers −160 µs,
// other lanes and order −50.0 µs". A loss has a plus, like all added time.
QString lane_gain_text(const Comparison& comparison, const LaneGain& gain);
QString lane_gain_claim(const Comparison& comparison, const LaneGain& gain);  // without the reason

// Returns the index of the fastest IOS schedule, with or without stages, the first one on a tie; none without
// any.
std::optional<std::size_t> best_ios(const Comparison& comparison);
// Returns indices of the results shown by default: sequential, greedy, the fastest IOS schedule with stages, IOS-Flow
// where it has lanes, and those from files or made by hand.
std::vector<std::size_t> default_results(const Comparison& comparison);

// Returns "inception_v3, simulated Tesla V100, batch 1".
QString context_text(const Comparison& comparison);
// Returns "squeezenet 0.402 ms, googlenet 1.204 ms": each of several networks' own latency, from the start of the run
// to its last kernel. Empty for one network.
QString network_latencies_text(const Graph& graph, const ScheduleResult& result);
// Returns one sentence: how fast the best IOS schedule (or else the fastest) is, and against which baselines.
QString summary_sentence(const Comparison& comparison);
// What stands instead of a result where Comparison::knows_latencies() says no.
QString unknown_latency_text();

// Returns how much faster the optimum under the search's options may be: "the optimum may be 2.1 % faster by estimate,
// 14 % at most", "no schedule is faster within the search's limits" after requesting every stage; the known part for a
// search that was stopped or chose among recorded stages.
QString gap_text(const SearchResult& search);
// Returns "it started from mine and found nothing better, 2 stages of which it could not have made by itself".
QString warm_start_text(const WarmStart& start);
// Returns one sentence on how far the search looked and what it may have missed: "IOS-Both asked for 812 of 52,341
// stages in 3.2 s; the optimum may be …". For a schedule without a search it says so.
QString search_sentence(const ScheduleResult& result);

// Returns the stages that one search requested: "58 stages: 12 measured, 46 known from an earlier search or run".
QString tally_text(const StageTally& tally);
// Returns what the searches of a comparison had to measure: "58 stages measured", "58 stages, all kept from earlier
// runs". Empty where nothing was searched or measured, and for simulated latencies.
QString measured_text(const Comparison& comparison);

// The name, also in files, of a schedule made by hand here without another name; it is displayed in the user's language
// and with a number.
inline constexpr std::string_view kManualName = "Manual";

// Write the difference to a baseline, in ms without the unit. Neighbouring figures have as many decimals as the
// largest of them needs.

int change_decimals(Millis largest);                 // 2 for 6.2 or 0.62 ms, 3 for 0.062 ms; 6 at most
QString change_number(Millis change, int decimals);  // "−0.62", "+0.03"; "0" where rounded to it

LabelWords shown_labels();  // the words of label_subjects() in the window's language

}  // namespace iosx
