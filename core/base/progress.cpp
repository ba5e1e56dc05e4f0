
#include <algorithm>
#include <cmath>

#include "core/base/progress.h"

namespace iosx {
namespace {

constexpr Seconds kTooEarly{2};     // no estimate before so much of a phase has passed,
constexpr Seconds kLongEnough{10};  // and before this one only if a fair share is done
constexpr double kFairShare = 0.02;
constexpr Seconds kShortestMemory{8};  // of the speed; half the phase so far, where that is longer
constexpr Seconds kDrift{6};           // in which an answer goes most of the way to a new estimate
constexpr double kFastestDrift = 0.1;  // of the answer each second, and a second more
constexpr double kGapMemory = 0.8;
constexpr std::size_t kMostPhases = 64;

std::string kind_of(const Message& phase) {
  std::string kind = phase.text();
  std::erase_if(kind, [](char c) { return c >= '0' && c <= '9'; });
  return kind;
}

// Returns what is left of a weight of 1 after so long.
double faded(Seconds time, Seconds memory) { return std::exp(-(time / memory)); }

}  // namespace

void TimeLeft::report(const Progress& progress, Seconds now) {
  const std::string kind = kind_of(progress.phase);
  if (phases_.size() >= kMostPhases && !phases_.contains(kind)) phases_.clear();
  const auto [at, added] = phases_.try_emplace(kind);
  Phase& phase = at->second;
  const bool begins = added || progress.total != phase.total || progress.done < phase.done;
  if (begins) {
    phase = {
        .total = progress.total, .first_done = progress.done, .done = progress.done, .begun = now, .reported = now};
  } else if (progress.done > phase.done) {
    phase.advance(progress.done, now);
  }
  if (begins || running_ != kind) answer_.reset();
  running_ = kind;
}

void TimeLeft::Phase::advance(std::int64_t now_done, Seconds now) {
  const Seconds gap = std::max(now - reported, Seconds(0));
  const Seconds memory = std::max(kShortestMemory, (now - begun) / 2.0);
  const double keeps = faded(gap, memory);
  const double weight = gap > Seconds(0) ? (1 - keeps) * (memory / gap) : 1;  // of an even pace since the last report
  recent_done = recent_done * keeps + static_cast<double>(now_done - done) * weight;
  recent_time = recent_time * keeps + gap * weight;
  usual_gap = done == first_done ? gap : usual_gap * kGapMemory + gap * (1 - kGapMemory);
  done = now_done;
  reported = now;
}

std::optional<Seconds> TimeLeft::Phase::estimate(Seconds now) const {
  if (done >= total || recent_done <= 0 || recent_time <= Seconds(0)) return std::nullopt;
  const Seconds passed = now - begun;
  const double share = static_cast<double>(done - first_done) / static_cast<double>(total);
  if (passed < kTooEarly || (passed < kLongEnough && share < kFairShare)) return std::nullopt;
  // Up to the usual time between reports the work goes on unseen; a longer silence says that it is slower.
  const Seconds unseen = std::max(now - reported, Seconds(0));
  const Seconds usual = std::min(unseen, usual_gap);
  const double speed = recent_done / (recent_time + (unseen - usual)).count();
  return std::max(Seconds(static_cast<double>(total - done) / speed) - usual, Seconds(0));
}

std::optional<Seconds> TimeLeft::left(Seconds now) {
  const auto phase = phases_.find(running_);
  const auto wanted = phase == phases_.end() ? std::nullopt : phase->second.estimate(now);
  if (!wanted) return std::nullopt;
  if (!answer_) {
    answer_ = wanted;
  } else {
    const Seconds passed = std::max(now - answered_, Seconds(0));
    const Seconds counted_down = std::max(*answer_ - passed, Seconds(0));
    const Seconds most = counted_down * (std::pow(1 + kFastestDrift, passed.count()) - 1) + passed;
    answer_ = counted_down + std::clamp((*wanted - counted_down) * (1 - faded(passed, kDrift)), -most, most);
  }
  answered_ = now;
  return answer_;
}

RoughTime rough_time(Seconds time) {
  const double seconds = std::max(time.count(), 0.0);
  const auto to = [](double value, double step) { return static_cast<std::int64_t>(std::round(value / step) * step); };
  if (seconds < 7.5) return {};
  if (seconds < 57.5) return {.seconds = to(seconds, 5)};
  if (seconds < 59.5 * 60) return {.minutes = std::max<std::int64_t>(to(seconds / 60, 1), 1)};
  const std::int64_t minutes = to(seconds / 60, 10);
  return {.hours = minutes / 60, .minutes = minutes % 60};
}

std::string rough_time_text(Seconds time) {
  const RoughTime rough = rough_time(time);
  if (rough.hours > 0 && rough.minutes > 0) return fmt::format("about {} h {} min", rough.hours, rough.minutes);
  if (rough.hours > 0) return fmt::format("about {} h", rough.hours);
  if (rough.minutes > 0) return fmt::format("about {} min", rough.minutes);
  if (rough.seconds > 0) return fmt::format("about {} s", rough.seconds);
  return "a few seconds";
}

std::string elapsed_text(Seconds time) {
  const auto seconds = static_cast<std::int64_t>(std::max(time.count(), 0.0));
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min {:02} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {:02} min", seconds / 3600, seconds / 60 % 60);
}

}  // namespace iosx
