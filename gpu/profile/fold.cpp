#include "gpu/profile/fold.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/check.h"

namespace iosx::gpu {
namespace {

constexpr double kAtWork = 0.005;      // of a sample; less is no work of ours …
constexpr double kAboveIdle = 0.25;    // … nor is so much more than what there is between replays
constexpr double kDurationOff = 0.15;  // of the usual: not one whole replay at the usual clock
constexpr double kStretch = 0.4;       // more than kDurationOff can make of a window
constexpr double kExpectedOff = 3;     // times as long or as short as expected: something else
constexpr double kSmoothing = 0.01;    // weight of a bin's difference to the next, against its samples
constexpr double kAcrossChange = 0.1;  // of that, where the work changes
constexpr double kNarrowest = 0.2;     // of the resolution: changes nearer to one another count as one
constexpr std::size_t kFewest = 8;     // replays
constexpr std::size_t kGroups = 10;    // of replays, for the errors
constexpr std::size_t kMostBins = 4000;
constexpr int kRefinements = 3;
constexpr int kShifts = 8;  // tried each way: up to half a sample at first, up to a quarter of that the next time, …
constexpr double kFiner = 0.25;

// One replay as the samples show it.
struct Burst {
  double begin = 0;  // µs
  double end = 0;
  std::size_t first = 0;  // samples [first, last) have something of it
  std::size_t last = 0;

  double duration() const { return end - begin; }
};

double micros_of(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-3; }
double length(const CounterSample& sample) { return micros_of(sample.end - sample.begin); }

double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Tells which part of a sample was our work. A GPU that is sampled is never completely idle: reading the counters
// takes a third of a microsecond each time, which is 6 % of samples 5 µs apart.
class AtWork {
 public:
  AtWork(std::span<const CounterSample> samples, const FoldOptions& options) : busy_(options.busy) {
    std::vector<double> idle;  // nothing was in flight
    for (const CounterSample& sample : samples) {
      if (sample.values[options.shape] == 0) idle.push_back(sample.values[busy_] / 100);
    }
    if (!idle.empty()) idle_ = std::clamp(median_of(std::move(idle)), 0.0, kMostIdle);
  }
  double part(const CounterSample& sample) const {
    const double above = sample.values[busy_] / 100 - idle_;
    return above < std::max(kAtWork, kAboveIdle * idle_) ? 0 : std::min(above / (1 - idle_), 1.0);
  }

 private:
  static constexpr double kMostIdle = 0.5;
  std::size_t busy_;
  double idle_ = 0;
};

std::vector<Burst> bursts_in(std::span<const CounterSample> samples, const FoldOptions& options) {
  const AtWork at_work(samples, options);
  std::vector<Burst> bursts;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double busy = at_work.part(samples[i]);
    if (busy == 0) continue;
    // Work in a burst's first sample goes on to its end, that in its last one begins with it.
    const double begin = micros_of(samples[i].end) - busy * length(samples[i]);
    const double end = micros_of(samples[i].begin) + busy * length(samples[i]);
    const bool next = !bursts.empty() && micros_of(samples[i].begin) - micros_of(samples[bursts.back().last - 1].end) <
                                             options.idle.count() / 2;
    if (next) {
      bursts.back().end = end;
      bursts.back().last = i + 1;
    } else {
      bursts.push_back({begin, std::max(begin, end), i, i + 1});
    }
  }
  return bursts;
}

// Returns those that are one complete replay each. The first and last samples of a recording may be cut.
std::vector<Burst> whole_ones(std::vector<Burst> bursts, std::size_t samples, const FoldOptions& options) {
  std::erase_if(bursts, [&](const Burst& burst) {
    const double off = options.expected.count() > 0 ? burst.duration() / options.expected.count() : 1;
    return burst.first == 0 || burst.last == samples || burst.duration() <= 0 || off > kExpectedOff ||
           off < 1 / kExpectedOff;
  });
  if (bursts.empty()) return bursts;
  std::vector<double> durations;
  durations.reserve(bursts.size());
  for (const Burst& burst : bursts) durations.push_back(burst.duration());
  std::erase_if(bursts, [usual = median_of(std::move(durations))](const Burst& burst) {
    return std::abs(burst.duration() / usual - 1) > kDurationOff;
  });
  return bursts;
}

// Computes the standard error of the result of all groups, from the results without each of them.
class Jackknife {
 public:
  void add(double value) {
    ++count_;
    const double before = value - mean_;
    mean_ += before / count_;
    squares_ += before * (value - mean_);
  }
  double error() const { return count_ > 1 ? std::sqrt((count_ - 1) / count_ * squares_) : 0; }

 private:
  double count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // of differences to the mean
};

// A symmetric positive definite matrix that is zero further than `reach` from its diagonal.
class Banded {
 public:
  Banded(std::size_t size, std::size_t reach) : size_(size), reach_(reach), lower_(size * (reach + 1), 0.0) {}

  std::size_t size() const { return size_; }
  std::size_t reach() const { return reach_; }
  // Returns an element of the lower half: column <= row <= column + reach.
  double& at(std::size_t row, std::size_t column) { return lower_[row * (reach_ + 1) + (row - column)]; }
  double at(std::size_t row, std::size_t column) const { return lower_[row * (reach_ + 1) + (row - column)]; }

  // factorise() replaces the matrix by its Cholesky factor, or returns false where it is not positive definite.
  // Afterwards solve() replaces the right side by the solution.
  bool factorise();
  void solve(std::vector<double>& right) const;

 private:
  std::size_t size_;
  std::size_t reach_;
  std::vector<double> lower_;
};

bool Banded::factorise() {
  for (std::size_t row = 0; row < size_; ++row) {
    const std::size_t first = row > reach_ ? row - reach_ : 0;
    for (std::size_t column = first; column <= row; ++column) {
      double sum = at(row, column);
      for (std::size_t k = first; k < column; ++k) sum -= at(row, k) * at(column, k);
      if (column < row) {
        at(row, column) = sum / at(column, column);
      } else if (sum > 0) {
        at(row, row) = std::sqrt(sum);
      } else {
        return false;
      }
    }
  }
  return true;
}

void Banded::solve(std::vector<double>& right) const {
  for (std::size_t row = 0; row < size_; ++row) {
    for (std::size_t k = row > reach_ ? row - reach_ : 0; k < row; ++k) right[row] -= at(row, k) * right[k];
    right[row] /= at(row, row);
  }
  for (std::size_t row = size_; row-- > 0;) {
    for (std::size_t k = row + 1; k <= std::min(size_ - 1, row + reach_); ++k) right[row] -= at(k, row) * right[k];
    right[row] /= at(row, row);
  }
}

class Fold {
 public:
  Fold(std::span<const CounterSample> samples, std::vector<Burst> bursts, const FoldOptions& options)
      : samples_(samples), bursts_(std::move(bursts)), shape_(options.shape), ranges_(options.ranges) {
    find_idle(options);
    for (const Burst& burst : bursts_) duration_ += burst.duration();
    duration_ /= static_cast<double>(bursts_.size());
    for (const Burst& burst : bursts_) {
      for (std::size_t i = burst.first; i < burst.last; ++i) window_ = std::max(window_, length(samples_[i]));
    }
    cut(options);
  }

  Folded run() {
    const std::size_t metrics = samples_.front().values.size();
    double most = window_ / 2;
    for (int i = 0; i < kRefinements; ++i, most *= kFiner) align(course(shape_, kGroups), most);
    Folded folded;
    folded.duration = Micros(duration_);
    folded.replays = bursts_.size();
    for (std::size_t bin = 0; bin < bins(); ++bin) folded.begins.emplace_back(edges_[bin]);
    for (std::size_t metric = 0; metric < metrics; ++metric) {
      folded.idle.push_back(idle_[metric]);
      folded.values.push_back(course(metric, kGroups));
      add_errors(metric, folded);
      for (double& value : folded.values.back()) value = std::max(value, 0.0);  // noise where nothing is
    }
    return folded;
  }

 private:
  // Finds what counters show where nothing runs.
  void find_idle(const FoldOptions& options) {
    const AtWork at_work(samples_, options);
    const std::size_t metrics = samples_.front().values.size();
    std::vector<std::vector<double>> seen(metrics);
    for (const CounterSample& sample : samples_) {
      if (at_work.part(sample) > 0) continue;
      for (std::size_t metric = 0; metric < metrics; ++metric) seen[metric].push_back(sample.values[metric]);
    }
    for (std::vector<double>& values : seen) idle_.push_back(values.empty() ? 0 : median_of(std::move(values)));
  }
  double above_idle(const CounterSample& sample, std::size_t metric) const {
    return sample.values[metric] - idle_[metric];
  }

  // Cuts the replay into bins: equal ones from change to change.
  void cut(const FoldOptions& options) {
    const double resolution = std::max(options.resolution.count(), duration_ / kMostBins);
    std::vector<double> changes = {0};
    std::vector<double> parts;
    for (const auto& [begin, end] : options.ranges) {
      parts.push_back(begin);
      parts.push_back(end);
    }
    for (const double part : parts) {
      const double at = part * duration_;
      if (at > changes.back() + kNarrowest * resolution && at < duration_ - kNarrowest * resolution) {
        changes.push_back(at);
      }
    }
    changes.push_back(duration_);
    for (std::size_t i = 0; i + 1 < changes.size(); ++i) {
      const double length = changes[i + 1] - changes[i];
      const auto bins = static_cast<std::size_t>(std::ceil(length / resolution));
      for (std::size_t bin = 0; bin < bins; ++bin) {
        edges_.push_back(changes[i] + length * static_cast<double>(bin) / static_cast<double>(bins));
        changes_here_.push_back(bin == 0);
      }
    }
    edges_.push_back(duration_);
  }

  std::size_t bins() const { return edges_.size() - 1; }
  std::size_t bin_at(double time) const {
    const auto above = std::ranges::upper_bound(edges_, time);
    const auto bin = static_cast<std::size_t>(above - edges_.begin());
    return std::min(bin == 0 ? 0 : bin - 1, bins() - 1);
  }

  // A sample's window within the replay, in µs of the usual duration: the time that it covers.
  struct Window {
    double begin;
    double end;
  };
  Window window(const Burst& burst, const CounterSample& sample) const {
    const double scale = duration_ / burst.duration();
    return {(micros_of(sample.begin) - burst.begin) * scale, (micros_of(sample.end) - burst.begin) * scale};
  }

  template <typename Visit>
  void each_bin(const Window& window, const Visit& visit) const {
    const double begin = std::max(window.begin, 0.0);
    const double end = std::min(window.end, duration_);
    if (end <= begin) return;
    for (std::size_t bin = bin_at(begin); bin < bins() && edges_[bin] < end; ++bin) {
      const double low = std::max(begin, edges_[bin]);
      const double high = std::min(end, edges_[bin + 1]);
      if (high > low) visit(bin, (high - low) / (window.end - window.begin));
    }
  }

  // Returns a metric's course by least squares, one value a bin, without the bursts of one group (kGroups: with all of
  // them).
  std::vector<double> course(std::size_t metric, std::size_t without) const {
    const std::size_t reach = this->reach();
    Banded normal(bins(), reach);
    std::vector<double> right(bins(), 0.0);
    std::vector<std::pair<std::size_t, double>> weights;
    for (std::size_t b = 0; b < bursts_.size(); ++b) {
      if (b % kGroups == without) continue;
      for (std::size_t i = bursts_[b].first; i < bursts_[b].last; ++i) {
        weights.clear();
        each_bin(window(bursts_[b], samples_[i]),
                 [&](std::size_t bin, double weight) { weights.emplace_back(bin, weight); });
        for (const auto& [row, weight] : weights) {
          right[row] += weight * above_idle(samples_[i], metric);
          for (const auto& [column, other] : weights) {
            if (column <= row) normal.at(row, column) += weight * other;
          }
        }
      }
    }
    smooth(normal);
    if (normal.factorise()) {
      normal.solve(right);
    } else {
      std::ranges::fill(right, 0.0);  // nothing was seen
    }
    for (double& value : right) value += idle_[metric];
    return right;
  }

  // Returns how many bins on a window that begins in one may go; windows are stretched a little.
  std::size_t reach() const {
    std::size_t reach = 1;
    for (std::size_t bin = 0; bin < bins(); ++bin) {
      reach = std::max(reach, bin_at(edges_[bin + 1] + window_ * (1 + kStretch)) - bin);
    }
    return std::min(reach, bins() - 1);
  }

  void smooth(Banded& normal) const {
    double diagonal = 0;
    for (std::size_t bin = 0; bin < bins(); ++bin) diagonal += normal.at(bin, bin);
    const double usual = kSmoothing * diagonal / static_cast<double>(bins());
    for (std::size_t bin = 0; bin + 1 < bins(); ++bin) {
      const double weight = changes_here_[bin + 1] ? kAcrossChange * usual : usual;
      normal.at(bin, bin) += weight;
      normal.at(bin + 1, bin + 1) += weight;
      normal.at(bin + 1, bin) -= weight;
    }
  }

  // Returns the mean of a course over [begin, end) µs.
  double mean(const std::vector<double>& course, double begin, double end) const {
    double area = 0;
    for (std::size_t bin = bin_at(begin); bin < bins() && edges_[bin] < end; ++bin) {
      area += course[bin] * std::max(0.0, std::min(end, edges_[bin + 1]) - std::max(begin, edges_[bin]));
    }
    return end > begin ? area / (end - begin) : 0;
  }

  // Adds the errors of values and of means, by the spread of what is left without one group after the other:
  // neighbouring bins' errors cancel, those of whole replays do not, and this knows of both.
  void add_errors(std::size_t metric, Folded& folded) const {
    const std::size_t groups = std::min(kGroups, bursts_.size());
    std::vector<Jackknife> of_bins(bins());
    std::vector<Jackknife> of_ranges(ranges_.size());
    Jackknife of_mean;
    for (std::size_t group = 0; group < groups; ++group) {
      const std::vector<double> part = course(metric, group);
      for (std::size_t bin = 0; bin < bins(); ++bin) of_bins[bin].add(part[bin]);
      for (std::size_t i = 0; i < ranges_.size(); ++i) {
        of_ranges[i].add(mean(part, ranges_[i].first * duration_, ranges_[i].second * duration_));
      }
      of_mean.add(mean(part, 0, duration_));
    }
    const auto errors = [](const std::vector<Jackknife>& all) {
      std::vector<double> list;
      list.reserve(all.size());
      for (const Jackknife& one : all) list.push_back(one.error());
      return list;
    };
    folded.errors.push_back(errors(of_bins));
    folded.range_errors.push_back(errors(of_ranges));
    folded.mean_errors.push_back(of_mean.error());
  }

  // Moves every burst to where its samples fit the course best; all of them together stay where they are.
  void align(const std::vector<double>& course, double most) {
    std::vector<double> until(bins() + 1, 0.0);  // the course's integral
    for (std::size_t bin = 0; bin < bins(); ++bin) {
      until[bin + 1] = until[bin] + (course[bin] - idle_[shape_]) * (edges_[bin + 1] - edges_[bin]);
    }
    const auto integral = [&](double time) {
      const std::size_t bin = bin_at(time);
      const double part = (std::clamp(time, 0.0, duration_) - edges_[bin]) / (edges_[bin + 1] - edges_[bin]);
      return until[bin] + part * (until[bin + 1] - until[bin]);
    };
    std::vector<double> shifts(bursts_.size(), 0.0);
    for (std::size_t b = 0; b < bursts_.size(); ++b) shifts[b] = best_shift(bursts_[b], integral, most);
    const double mean = std::accumulate(shifts.begin(), shifts.end(), 0.0) / static_cast<double>(shifts.size());
    for (std::size_t b = 0; b < bursts_.size(); ++b) {
      bursts_[b].begin += shifts[b] - mean;
      bursts_[b].end += shifts[b] - mean;
    }
  }

  template <typename Integral>
  double best_shift(const Burst& burst, const Integral& integral, double most) const {
    double best = 0;
    double least = -1;
    for (int step = -kShifts; step <= kShifts; ++step) {
      const double shift = most * step / kShifts;
      double off = 0;
      for (std::size_t i = burst.first; i < burst.last; ++i) {
        const Window seen = window(burst, samples_[i]);
        const double mean = (integral(seen.end - shift) - integral(seen.begin - shift)) / (seen.end - seen.begin);
        off += std::pow(mean - above_idle(samples_[i], shape_), 2);
      }
      // The nearest to none wins where nothing tells them apart.
      if (least < 0 || off < least * (1 - 1e-9) || (off <= least && std::abs(shift) < std::abs(best))) {
        least = off;
        best = shift;
      }
    }
    return best;
  }

  std::span<const CounterSample> samples_;
  std::vector<Burst> bursts_;
  std::size_t shape_;
  std::vector<std::pair<double, double>> ranges_;
  std::vector<double> idle_;        // by metric
  double duration_ = 0;             // µs
  double window_ = 0;               // the longest sample
  std::vector<double> edges_;       // of the bins, one more than there are
  std::vector<bool> changes_here_;  // by bin: the work changes where it begins
};

// Drops samples that went on for longer than the others: they say little, and would make everything coarse.
void drop_stretched(std::vector<CounterSample>& samples) {
  if (samples.empty()) return;
  std::vector<double> lengths;
  lengths.reserve(samples.size());
  for (const CounterSample& sample : samples) lengths.push_back(length(sample));
  const double usual = median_of(std::move(lengths));
  std::erase_if(samples, [usual](const CounterSample& sample) { return length(sample) > 2 * usual; });
}

}  // namespace

Result<Folded> fold(std::span<const CounterSample> samples, const FoldOptions& options) {
  std::vector<CounterSample> usable;
  usable.reserve(samples.size());
  for (const CounterSample& sample : samples) {
    IOS_CHECK(options.busy < sample.values.size() && options.shape < sample.values.size());
    const bool finite = std::ranges::all_of(sample.values, [](double value) { return std::isfinite(value); });
    if (sample.end > sample.begin && finite) usable.push_back(sample);
  }
  drop_stretched(usable);
  const std::vector<Burst> seen = bursts_in(usable, options);
  std::vector<Burst> bursts = whole_ones(seen, usable.size(), options);
  if (bursts.size() < kFewest) {
    return fail(message("only {} of {} replays could be distinguished in {} samples", bursts.size(), seen.size(),
                        usable.size()),
                "counters");
  }
  const std::size_t left_out = seen.size() - bursts.size();
  Folded folded = Fold(usable, std::move(bursts), options).run();
  folded.left_out = left_out;
  return folded;
}

}  // namespace iosx::gpu
