#include "core/search/lazy/stage_predictor.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "core/base/solve_positive.h"

namespace iosx {
namespace {

constexpr double kRidge = 0.02;       // pull towards the first guess, in measurements
constexpr std::size_t kGuessed = 15;  // the feature that the first guess is: max(longest, 0.6 × sum)
constexpr std::size_t kGuessMerged = 11;

}  // namespace

StagePredictor::StagePredictor(std::size_t kinds, double mean_unit_ms)
    : mean_unit_ms_(mean_unit_ms),
      size_(kOwn + kinds),
      products_(size_ * size_, 0.0),
      targets_(size_, 0.0),
      weights_(size_, 0.0) {
  reset(weights_);
}

void StagePredictor::reset(std::vector<double>& weights) const {
  std::ranges::fill(weights, 0.0);
  weights[kGuessed] = 1;
  weights[kGuessMerged] = -0.4;  // hope, so that some are tried
}

StagePredictor::Own StagePredictor::own_features(const StageFacts& facts) const {
  const double sum = facts.sum;
  const auto part = [&](double value) { return value / sum; };
  const double longest = part(facts.longest);
  const double flops = part(facts.flops);
  const double bytes = part(facts.bytes);
  const double merged = facts.merged ? 1 : 0;
  return {1,
          longest,
          part(facts.second),
          part(facts.largest),
          part(facts.root),
          part(mean_unit_ms_) * facts.units,
          flops,
          bytes,
          part(facts.chained),
          part(facts.light),
          part(mean_unit_ms_) * facts.groups,
          merged,
          merged * part(facts.largest),
          merged * flops,
          std::max(longest, 0.4),
          std::max(longest, 0.6),
          std::max(longest, 0.8),
          std::max(longest, 0.3 * flops),
          std::max(longest, 0.6 * flops),
          std::max(longest, flops),
          std::max(longest, 0.3 * bytes),
          std::max(longest, 0.6 * bytes),
          std::max(longest, bytes),
          facts.groups > 1 ? 1.0 : 0.0,
          facts.groups > 1 ? part(facts.sum - facts.longest - facts.second) : 0.0};
}

void StagePredictor::learn(const StageFacts& facts, std::span<const float> of_kind, double latency_ms, double weight) {
  IOS_CHECK(of_kind.size() + kOwn == size_);
  if (!(facts.sum > 0) || !(latency_ms > 0)) return;
  const double target = latency_ms / facts.sum;
  std::vector<double> features(size_);
  const Own own = own_features(facts);
  std::ranges::copy(own, features.begin());
  for (std::size_t k = 0; k < of_kind.size(); ++k) features[kOwn + k] = of_kind[k] / facts.sum;
  weight /= target * target;
  std::vector<std::size_t> used;  // few kinds are in a stage
  for (std::size_t i = 0; i < size_; ++i) {
    if (features[i] != 0) used.push_back(i);
  }
  for (const std::size_t i : used) {
    for (const std::size_t k : used) {
      if (k > i) break;
      products_[i * size_ + k] += weight * features[i] * features[k];
    }
    targets_[i] += weight * features[i] * target;
  }
  ++learned_;
}

void StagePredictor::fit() {
  std::vector<double> right = targets_;
  std::vector<double> guess(size_);
  reset(guess);
  for (std::size_t i = 0; i < size_; ++i) right[i] += kRidge * guess[i];
  std::vector<double> matrix = products_;
  for (std::size_t i = 0; i < size_; ++i) matrix[i * size_ + i] += kRidge;
  weights_ = solve_positive(std::move(matrix), std::move(right));
}

double StagePredictor::predict(const StageFacts& facts, double weighed) const {
  if (!(facts.sum > 0)) return 0;
  const Own own = own_features(facts);
  double over_sum = weighed / facts.sum;
  for (std::size_t i = 0; i < kOwn; ++i) over_sum += weights_[i] * own[i];
  const double least = facts.merged || facts.groups == 1 ? facts.largest : std::max(facts.heavy, facts.largest);
  return std::clamp(over_sum * facts.sum, std::min<double>(least, facts.sum), 2.0 * facts.sum);
}

}  // namespace iosx
