#include "core/analysis/validate/operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/devices/simulated/captured_kernels.h"
#include "core/devices/simulated/kernel_model.h"
#include "core/devices/simulated/loads.h"
#include "core/operators/sessions.h"

namespace iosx {
namespace {

using simulated::as_double;
using simulated::DeviceDescription;
using simulated::KernelLoad;

// Guesses for an unknown session: the time of PyTorch's host, and of a loop in C++.
constexpr double kPythonHost = 30;
constexpr double kLoopHost = 3;
constexpr int kHalfSplits = 8;  // of the reduction of a convolution in float16

sessions::Session session_of(const MeasuredOperator& measured, double sustained_clock) {
  const auto known = sessions::find(measured.source, measured.device, session_kind(measured));
  if (known) return *known;
  return {.clock = sustained_clock, .host_us = measured.source == "neusight" ? kPythonHost : kLoopHost};
}

// Returns the captured device for the card in the measured precision, as described; none without one.
std::optional<DeviceDescription> captured_device_of(const MeasuredOperator& measured,
                                                    std::span<const DeviceDescription> devices) {
  const auto cards = sessions::cards();
  const auto card = std::ranges::find(cards, measured.device, &sessions::Card::name);
  std::string_view id = card == cards.end() ? std::string_view(measured.device) : card->description;
  constexpr std::string_view kByHost = "-streams";
  if (id.ends_with(kByHost)) id.remove_suffix(kByHost.size());
  const simulated::NumberFormat format = measured.half   ? simulated::NumberFormat::kFloat16
                                         : measured.tf32 ? simulated::NumberFormat::kTf32
                                                         : simulated::NumberFormat::kFloat32;
  // A driver calls "NVIDIA A100-SXM4-80GB" what is described as "A100-SXM4-80GB, float32 (TF32)".
  constexpr std::string_view kMaker = "NVIDIA ";
  std::string_view name = measured.device;
  if (name.starts_with(kMaker)) name.remove_prefix(kMaker.size());
  for (const DeviceDescription& device : devices) {
    // The id of what is captured is that of the GPU, with a precision but for the usual one.
    const std::string_view gpu = std::string_view(device.id).substr(0, id.size());
    const bool same = gpu == id && (device.id.size() == id.size() || device.id[id.size()] == '-');
    const bool named = std::string_view(device.name).substr(0, device.name.find(", ")) == name;
    if (device.captured && device.format == format && (same || named)) return device;
  }
  return std::nullopt;
}

// Returns the card as a simulated device in the state of the session; nothing if there is none.
std::optional<DeviceDescription> device_of(const MeasuredOperator& measured,
                                           std::span<const DeviceDescription> devices) {
  if (measured.source == kOwnSource) return captured_device_of(measured, devices);
  if (measured.tf32) return std::nullopt;  // no session was
  const auto cards = sessions::cards();
  const auto card = std::ranges::find(cards, measured.device, &sessions::Card::name);
  const std::string_view id = card == cards.end() ? std::string_view(measured.device) : card->description;
  const auto base = std::ranges::find(devices, id, &DeviceDescription::id);
  if (base == devices.end()) return std::nullopt;
  DeviceDescription made = *base;
  double half_tflops = 0;
  if (const auto rate = made.tensor_tflops.find(simulated::NumberFormat::kFloat16); rate != made.tensor_tflops.end()) {
    half_tflops = rate->second;
  }
  if (card != cards.end()) {
    constexpr double kKib = 1024;
    made.machine.sms = card->sms;
    made.machine.l2_bytes = card->l2_mib * kKib * kKib;
    made.clock_ghz = card->clock_ghz;
    made.fp32_tflops = card->fp32_tflops;
    made.memory_bandwidth_gb_per_s = card->memory_gb_per_s;
    made.l2_bandwidth_gb_per_s = card->l2_bytes_per_cycle * card->clock_ghz;
    made.l1_bytes = card->l1_kib * kKib;
    made.sustained_clock = card->sustained_clock;
    half_tflops = card->f16_tflops;
  }
  made.sustained_clock = session_of(measured, made.sustained_clock).clock;
  if (measured.half) {
    if (half_tflops == 0) return std::nullopt;
    made.sustained_tensor_clock = made.sustained_clock;
    made.format = simulated::NumberFormat::kFloat16;
    made.element_bytes = 2;
    made.convolution_speedup = half_tflops / made.fp32_tflops;
    made.kernels.max_split = kHalfSplits;
  }
  made.machine.start_us = made.library.launch_gap_us;
  derive_machine(made);
  return made;
}

std::int64_t outputs(std::int64_t size, std::int64_t pad, std::int64_t filter, std::int64_t stride) {
  return (size + 2 * pad - filter) / stride + 1;
}

simulated::ConvProblem problem_of(const MeasuredOperator& measured) {
  simulated::ConvProblem problem;
  problem.batch = measured.batch;
  problem.input = Shape{measured.channels, measured.height, measured.width};
  problem.output = Shape{measured.filters,
                         outputs(measured.height, measured.pad_height, measured.filter_height, measured.stride_height),
                         outputs(measured.width, measured.pad_width, measured.filter_width, measured.stride_width)};
  problem.attributes.out_channels = measured.filters;
  problem.attributes.kernel = {measured.filter_height, measured.filter_width};
  problem.attributes.stride = {measured.stride_height, measured.stride_width};
  problem.attributes.padding = {measured.pad_height, measured.pad_width};
  problem.attributes.groups = measured.groups;
  problem.repeated = true;
  return problem;
}

simulated::Product product_of(const MeasuredOperator& measured, double element_bytes) {
  simulated::Product product;
  product.count = static_cast<double>(measured.batch);
  product.rows = static_cast<double>(measured.rows);
  product.columns = static_cast<double>(measured.columns);
  product.depth = static_cast<double>(measured.depth);
  if (measured.op == "linear") product.row_bytes = product.depth * element_bytes;
  product.warm_bytes =
      (product.rows * product.depth + product.depth * product.columns + product.rows * product.columns) *
      product.count * element_bytes;
  return product;
}

void ways_of(const MeasuredOperator& measured, const DeviceDescription& device, const simulated::WaySink& sink) {
  const auto rows = static_cast<double>(measured.rows);
  const auto columns = static_cast<double>(measured.columns);
  switch (measured.kind) {
    case MeasuredKind::kConvolution: return convolution_ways(device, problem_of(measured), sink);
    case MeasuredKind::kMatrix: {
      // The GPU back end's own product uses no tensor cores.
      const simulated::Multiplier& multiplier = device.captured ? device.library.float32 : device.multiplier();
      return matrix_ways(device, multiplier, product_of(measured, device.element_bytes), sink);
    }
    case MeasuredKind::kStream: {
      const double inputs = measured.op == "add" || measured.op == "mul" ? 2 : 1;
      const double bytes = rows * columns * device.element_bytes;
      return sink(std::array{stream(device, rows * columns, inputs * bytes, bytes)});
    }
    case MeasuredKind::kRows: {
      const auto kind = measured.op == "softmax" ? simulated::RowKind::kSoftmax : simulated::RowKind::kNormalize;
      return sink(std::array{row_reduction(device, kind, rows, columns)});
    }
    case MeasuredKind::kPool: {
      const bool global = measured.op == "global_pool";
      const simulated::EngineKernels& kernels = device.kernels;
      const double in = as_double(measured.batch * measured.channels) * as_double(measured.height * measured.width);
      const double out =
          as_double(measured.batch * measured.channels) *
          as_double(outputs(measured.height, measured.pad_height, measured.filter_height, measured.stride_height) *
                    outputs(measured.width, measured.pad_width, measured.filter_width, measured.stride_width));
      return window_ways(device, out, as_double(measured.filter_height * measured.filter_width),
                         (in + out) * device.element_bytes, global ? kernels.global_pool_outputs : kernels.pool.outputs,
                         global ? kernels.max_window_splits : 1, sink);
    }
    case MeasuredKind::kLaunches: break;  // no operator
  }
}

// Returns the operator as a kernel of a plan; nothing for launches.
std::optional<simulated::KernelForm> form_of(const MeasuredOperator& measured) {
  simulated::KernelForm form;
  form.batch = measured.batch;
  const Shape matrix{measured.rows, measured.columns};
  const auto of_rows = [&](Attributes attributes, std::size_t inputs) {
    form.attributes = std::move(attributes);
    form.batch = 1;
    form.output = matrix;
    form.reads.assign(inputs, {.shape = matrix});
    return form;
  };
  switch (measured.kind) {
    case MeasuredKind::kConvolution: {
      const simulated::ConvProblem problem = problem_of(measured);
      form.attributes = problem.attributes;
      form.output = problem.output;
      form.reads = {{.shape = problem.input}};
      return form;
    }
    case MeasuredKind::kPool: {
      Pool pool;
      pool.kind = measured.op == "global_pool" ? PoolKind::kGlobalAverage : PoolKind::kMax;
      pool.kernel = {measured.filter_height, measured.filter_width};
      const Shape out = problem_of(measured).output;
      form.attributes = pool;
      form.output = Shape{measured.channels, out.height(), out.width()};
      form.reads = {{.shape = Shape{measured.channels, measured.height, measured.width}}};
      return form;
    }
    case MeasuredKind::kMatrix:
      form.output = Shape{measured.rows, measured.columns};
      form.reads = {{.shape = Shape{measured.rows, measured.depth}},
                    {.shape = Shape{measured.depth, measured.columns}}};
      form.attributes = MatMul{};
      if (measured.op != "linear") return form;
      form.attributes = Linear{.out_features = measured.columns, .axis = 1};
      form.reads.pop_back();
      return form;
    case MeasuredKind::kStream:
      if (measured.op == "add" || measured.op == "mul") return of_rows(Add{}, 2);
      return of_rows(Activate{}, 1);
    case MeasuredKind::kRows:
      if (measured.op == "softmax") return of_rows(Softmax{.axis = 1}, 1);
      return of_rows(Normalize{.axis = 1}, 1);
    case MeasuredKind::kLaunches: break;
  }
  return std::nullopt;
}

// Returns the launches of a chain, of stages or of a ladder, a kernel on each lane `times` times, and what they take.
double launches_us(const MeasuredOperator& measured, const DeviceDescription& device, std::size_t times) {
  const auto lanes = static_cast<std::size_t>(measured.lanes);
  const simulated::CapturedFigures& figures = device.launches->figures;
  const KernelLoad kernel =
      timed_load(device.machine, figures, simulated::Family::kStream, measured.kernel_us, 1, 1, 1);
  std::vector<simulated::Launch> launches;
  for (std::size_t i = 0; i < times; ++i) {
    const std::size_t before = (i - 1) * lanes;  // where i is not 0
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      simulated::Launch& launch = launches.emplace_back(simulated::Launch{.load = kernel, .lane = lane});
      for (std::size_t other = 0; other < lanes && i > 0; ++other) {
        const bool waits = measured.op == "ladder" ? other == (lane + 1) % lanes : true;
        if (other != lane && waits) launch.waits.push_back(before + other);
      }
      launch.wait_us = wait_us(figures, lanes > 1, launch.waits.size());
    }
  }
  return simulate(device.machine, launches).end;
}

// Returns the µs that one more launch, stage or rung costs.
double one_more_us(const MeasuredOperator& measured, const DeviceDescription& device) {
  constexpr std::size_t kTimes = 8;
  return (launches_us(measured, device, 2 * kTimes) - launches_us(measured, device, kTimes)) / kTimes;
}

// Returns the µs from the first kernel's begin to the last one's end; captured ones begin after one another.
double kernels_us(const MeasuredOperator& measured, const DeviceDescription& device) {
  const auto known = device.launches ? captured_loads(device, form_of(measured).value()) : std::nullopt;
  if (known) return duration(device.machine, *known);
  simulated::Fastest fastest(device.machine);
  ways_of(measured, device, std::ref(fastest));
  const std::vector<KernelLoad> kernels = std::move(fastest).kernels();
  const double us = duration(device.machine, kernels);
  if (!device.launches) return us - device.machine.start_us;
  return us + as_double(static_cast<std::int64_t>(kernels.size())) * device.launches->figures.dead_us;
}

const char* size_class(double us) {
  if (us < 20) return "below 20 µs";
  if (us < 50) return "20 to 50 µs";
  if (us < 100) return "50 to 100 µs";
  if (us < 300) return "100 to 300 µs";
  return us < 1000 ? "300 µs to 1 ms" : "1 ms and more";
}

// Returns what the errors are of, and the errors of the pairs.
OperatorErrors errors_of(OperatorErrors made, const std::vector<const OperatorPair*>& pairs) {
  std::vector<double> errors;
  for (const OperatorPair* pair : pairs) {
    const double ratio = pair->simulated_us / pair->measured_us;
    errors.push_back(std::abs(ratio - 1));
    made.mape += errors.back();
    if (std::max(ratio, 1 / ratio) < 1.25) made.within_25 += 1;
  }
  made.rows = pairs.size();
  made.mape /= static_cast<double>(pairs.size());
  made.within_25 /= static_cast<double>(pairs.size());
  std::ranges::sort(errors);
  made.median = (errors[(errors.size() - 1) / 2] + errors[errors.size() / 2]) / 2;
  return made;
}

constexpr int kDecades = 5;
constexpr double kLeast = 10;  // µs
constexpr int kDecade = 60;    // pixels
constexpr int kCell = 4;       // pixels
constexpr int kSide = kDecades * kDecade;
constexpr int kLeft = 44;
constexpr int kTop = 8;
constexpr std::array<std::string_view, kDecades + 1> kTicks{"10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s"};

// Returns how many pixels a latency lies from the axis; outside of it, on its end.
double place(double us) { return std::clamp(std::log10(us / kLeast), 0.0, kDecades - 1e-6) * kDecade; }

std::string grid() {
  std::string text;
  for (int i = 0; i <= kDecades; ++i) {
    const int x = kLeft + i * kDecade;
    const int y = kTop + kSide - i * kDecade;
    text += fmt::format("<path d='M{} {}v{}M{} {}h{}' stroke='#ccc'/>\n", x, kTop, kSide, kLeft, y, kSide);
    text += fmt::format("<text x='{}' y='{}' text-anchor='middle'>{}</text>\n", x, kTop + kSide + 14, kTicks[i]);
    text += fmt::format("<text x='{}' y='{}' text-anchor='end'>{}</text>\n", kLeft - 4, y + 3, kTicks[i]);
  }
  const double off = std::log10(1.25) * kDecade;
  text += fmt::format("<path d='M{} {}l{} -{}' stroke='#444'/>\n", kLeft, kTop + kSide, kSide, kSide);
  text += fmt::format("<path d='M{:.1f} {}L{} {:.1f}M{} {:.1f}L{:.1f} {}' stroke='#444' stroke-dasharray='3 3'/>\n",
                      kLeft + off, kTop + kSide, kLeft + kSide, kTop + off, kLeft, kTop + kSide - off,
                      kLeft + kSide - off, kTop);
  return text;
}

}  // namespace

OperatorValidation validate_operators(std::span<const MeasuredOperator> operators,
                                      std::span<const DeviceDescription> devices) {
  OperatorValidation result;
  std::map<std::string, std::optional<DeviceDescription>> known;  // by session
  for (const MeasuredOperator& measured : operators) {
    const std::string key =
        fmt::format("{}|{}|{}|{}", measured.source, measured.device, session_kind(measured), precision_of(measured));
    const auto at = known.find(key);
    const auto& device =
        at != known.end() ? at->second : known.emplace(key, device_of(measured, devices)).first->second;
    const sessions::Session session =
        device && !device->captured ? session_of(measured, device->sustained_clock) : sessions::Session{};
    if (!device || (measured.kind == MeasuredKind::kLaunches && !device->captured) ||
        (session.host_us_per_1000 > 0 && measured.order < 0)) {
      ++result.skipped;
      continue;
    }
    const double host = session.host_us + session.host_us_per_1000 * std::max(0.0, measured.order) / 1000;
    const double us = measured.kind == MeasuredKind::kLaunches
                          ? one_more_us(measured, *device)
                          : std::max(kernels_us(measured, *device) + host, session.least_us);
    result.pairs.push_back({measured.device, measured.kind, std::string(precision_of(measured)), measured.us, us});
  }
  std::map<std::tuple<MeasuredKind, std::string, std::string>, std::vector<const OperatorPair*>> by_device;
  std::map<std::tuple<MeasuredKind, std::string, double>, std::vector<const OperatorPair*>> by_size;
  for (const OperatorPair& pair : result.pairs) {
    by_device[{pair.kind, pair.precision, pair.device}].push_back(&pair);
    double least = 0;
    for (const double edge : {20.0, 50.0, 100.0, 300.0, 1000.0}) {
      if (pair.measured_us >= edge) least = edge;
    }
    by_size[{pair.kind, pair.precision, least}].push_back(&pair);
  }
  for (const auto& [key, pairs] : by_device) {
    const auto& [kind, precision, device] = key;
    result.errors.push_back(errors_of({device, std::string(name_of(kind)), precision}, pairs));
  }
  for (const auto& [key, pairs] : by_size) {
    const auto& [kind, precision, least] = key;
    result.sizes.push_back(errors_of({"", fmt::format("{}, {}", name_of(kind), size_class(least)), precision}, pairs));
  }
  return result;
}

std::string operators_svg(const OperatorValidation& validation, MeasuredKind kind) {
  std::map<std::pair<int, int>, int> cells;
  for (const OperatorPair& pair : validation.pairs) {
    if (pair.kind != kind) continue;
    ++cells[{static_cast<int>(place(pair.measured_us)) / kCell, static_cast<int>(place(pair.simulated_us)) / kCell}];
  }
  std::array<std::string, 3> squares;
  for (const auto& [cell, count] : cells) {
    const auto [x, y] = cell;
    squares[count < 3    ? 0
            : count < 10 ? 1
                         : 2] +=
        fmt::format("M{} {}h{c}v{c}h-{c}z", kLeft + x * kCell, kTop + kSide - (y + 1) * kCell, fmt::arg("c", kCell));
  }
  std::string text = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{w}' height='{h}' viewBox='0 0 {w} {h}' font-family='sans-serif' "
      "font-size='9'>\n<rect width='{w}' height='{h}' fill='#fff'/>\n",
      fmt::arg("w", kLeft + kSide + 26), fmt::arg("h", kTop + kSide + 34));
  text += grid();
  constexpr std::array<std::string_view, 3> kColours{"#9ec5e8", "#4a90c8", "#12507f"};
  for (std::size_t i = 0; i < squares.size(); ++i) {
    if (!squares[i].empty()) text += fmt::format("<path d='{}' fill='{}'/>\n", squares[i], kColours[i]);
  }
  text += fmt::format("<text x='{}' y='{}' text-anchor='middle'>measured ({})</text>\n", kLeft + kSide / 2,
                      kTop + kSide + 28, name_of(kind));
  text += fmt::format("<text x='{}' y='{}'>simulated</text>\n</svg>\n", kLeft + 4, kTop + 12);
  return text;
}

}  // namespace iosx
