#include "core/operators/recorded.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <tuple>

#include "core/base/hash.h"
#include "core/operators/sessions.h"

namespace iosx {
namespace {

constexpr double kBytes = 4;  // of a float32; features are in these
constexpr double kMostMs = 1e6;
constexpr double kLeastShare = 0.3;  // of a row that is no host time

std::int64_t outputs(std::int64_t size, std::int64_t pad, std::int64_t filter, std::int64_t stride) {
  return (size + 2 * pad - filter) / stride + 1;
}

// Returns the time of the operator's kernels in ms; nothing where too little of the row is that.
std::optional<double> kernels_ms(const MeasuredOperator& measured) {
  const auto session = sessions::find(measured.source, measured.device, session_kind(measured));
  if (!session) return measured.us / 1e3;  // of a table that says so itself, as ours do
  if (session->host_us_per_1000 > 0 && measured.order < 0) return std::nullopt;
  const double host = session->host_us + session->host_us_per_1000 * std::max(0.0, measured.order) / 1000;
  const double us = measured.us - host;
  if (us < kLeastShare * measured.us || measured.us <= session->least_us * 1.05) return std::nullopt;
  return us / 1e3;
}

}  // namespace

OperatorFeatures features_of(const MeasuredOperator& measured) {
  OperatorFeatures made;
  made.batch = measured.batch;
  double inputs = 1;  // of what is read, over what is written
  switch (measured.kind) {
    case MeasuredKind::kConvolution:
    case MeasuredKind::kPool: {
      if (measured.kind == MeasuredKind::kPool) {
        made.kind = measured.op == "max_pool" ? "max pool" : measured.op == "avg_pool" ? "average pool" : "global pool";
      } else {
        made.kind = measured.groups > 1 && measured.groups == measured.channels ? "depthwise" : "conv";
      }
      made.groups = measured.groups;
      made.channels = measured.channels;
      made.height = measured.height;
      made.width = measured.width;
      made.out_channels = measured.filters;
      made.out_height = outputs(measured.height, measured.pad_height, measured.filter_height, measured.stride_height);
      made.out_width = outputs(measured.width, measured.pad_width, measured.filter_width, measured.stride_width);
      if (made.kind == "global pool") break;
      made.kernel_height = measured.filter_height;
      made.kernel_width = measured.filter_width;
      made.stride = std::max(measured.stride_height, measured.stride_width);
      break;
    }
    case MeasuredKind::kLaunches: break;  // no operator
    case MeasuredKind::kMatrix:
      made.kind = measured.op == "bmm" ? "matmul" : "linear";
      made.channels = measured.depth;
      made.height = made.out_height = measured.rows;
      made.out_channels = measured.columns;
      break;
    case MeasuredKind::kStream: inputs = measured.op == "add" || measured.op == "mul" ? 2 : 1; [[fallthrough]];
    case MeasuredKind::kRows:
      made.kind = measured.op == "copy"                    ? "copy"
                  : measured.kind == MeasuredKind::kStream ? "elementwise"
                  : measured.op == "softmax"               ? "softmax"
                                                           : "normalize";
      made.channels = made.out_channels = measured.rows;
      made.height = made.out_height = measured.columns;
      break;
  }
  made.inputs = made.kind == "matmul" ? 2 : static_cast<std::int64_t>(inputs);
  if (made.kind == "elementwise") made.function = measured.op == "tanh" ? 3 : 1;
  // Sizes of a table may be anything: their products are of floating point.
  const auto product_of = [](std::initializer_list<std::int64_t> sizes) {
    double all = 1;
    for (const std::int64_t size : sizes) all *= static_cast<double>(size);
    return all;
  };
  const auto batch = static_cast<double>(made.batch);
  const double in = product_of({made.batch, made.channels, made.height, made.width});
  const double out = product_of({made.batch, made.out_channels, made.out_height, made.out_width});
  const double window = product_of({made.channels / made.groups, made.kernel_height, made.kernel_width});
  const bool product = measured.kind == MeasuredKind::kConvolution || measured.kind == MeasuredKind::kMatrix;
  double weights = product ? window * static_cast<double>(made.out_channels) : 0;
  if (made.kind == "matmul") weights *= batch;
  made.flops = product                      ? 2 * out * window
               : made.kind == "global pool" ? in
                                            : out * product_of({made.kernel_height, made.kernel_width});
  made.bytes_read = (in * inputs + weights) * kBytes;
  made.bytes_written = out * kBytes;
  return made;
}

std::optional<DeviceRates> rates_of_card(std::string_view name) {
  const auto cards = sessions::cards();
  const auto card = std::ranges::find(cards, name, &sessions::Card::name);
  if (card == cards.end()) return std::nullopt;
  return DeviceRates{card->fp32_tflops * 1e12, card->memory_gb_per_s * 1e9, card->sms};
}

void RecordedOperators::add(const MeasuredOperator& measured) {
  constexpr double kMost = 1e15;  // FLOPs or bytes of an operator
  const auto ms = kernels_ms(measured);
  OperatorFeatures x = features_of(measured);
  if (measured.kind == MeasuredKind::kLaunches || !ms || *ms > kMostMs || x.flops > kMost ||
      x.bytes_read + x.bytes_written > kMost) {
    ++skipped_;
    return;
  }
  const Hash128 hash = hash128("recorded operator " + to_text({{x}}));
  devices_[{measured.device, measured.source, std::string(precision_of(measured))}].push_back(
      {{hash.high, hash.low}, *ms, std::move(x)});
}

Result<void> RecordedOperators::hand_over(const TermsOf& terms, Taker take) && {
  constexpr std::size_t kAtOnce = 5000;
  const Date now = date_now();
  for (auto& [device, rows] : devices_) {
    const auto& [name, source, measured_in] = device;
    const char* const precision = measured_in == "float16" ? "f16" : measured_in == "tf32" ? "tf32" : "f32";
    const MeasurementSet set{.fingerprint = fmt::format("recorded {} {} {}", source, name, precision),
                             .batch = 1,
                             .precision = precision,
                             .origin = Origin::kRecorded,
                             .device_id = name,
                             .device_name = fmt::format("{} ({})", name, source),
                             .terms = terms ? terms(name) : std::nullopt};
    std::ranges::sort(rows, [](const Row& a, const Row& b) { return std::tie(a.key, a.ms) < std::tie(b.key, b.ms); });
    std::vector<Measurement> measurements;
    std::vector<DescribedStage> stages;
    while (!rows.empty()) {
      const StageKey key = rows.front().key;
      const auto end = std::ranges::find_if(rows, [&](const Row& row) { return row.key != key; });
      const auto count = end - rows.begin();
      const Row& median = rows[static_cast<std::size_t>(count / 2)];
      Latency latency{.value = Millis(median.ms), .samples = count};
      latency.origin = Origin::kRecorded;
      measurements.push_back(
          {.key = key, .latency = latency, .date = now, .method = {.program = source, .repeats = 1}});
      stages.push_back({key, to_text({{median.features}})});
      rows.erase(rows.begin(), end);
      if (measurements.size() < kAtOnce && !rows.empty()) continue;
      IOS_TRY(take(set, measurements, stages));
      measurements.clear();
      stages.clear();
    }
  }
  devices_.clear();
  return {};
}

}  // namespace iosx
