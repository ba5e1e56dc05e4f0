#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/devices/simulated/description.h"
#include "core/operators/recorded.h"

namespace iosx {

// A measured operator's latency and the simulated one, which includes the session's host time.
struct OperatorPair {
  std::string device;
  MeasuredKind kind = MeasuredKind::kConvolution;
  std::string precision;  // "float32"
  double measured_us = 0;
  double simulated_us = 0;
};

// The model's errors for operators of one kind or size on a device. Errors are absolute and relative to the
// measured value; 0.1 is ten per cent.
struct OperatorErrors {
  std::string device;  // empty: all
  std::string kind;    // from name_of(), or a class of sizes: "20 to 50 µs"
  std::string precision;
  std::size_t rows = 0;
  double mape = 0;
  double median = 0;
  double within_25 = 0;  // share of rows with a ratio below 1.25
};

struct OperatorValidation {
  std::vector<OperatorPair> pairs;
  std::vector<OperatorErrors> errors;  // by device, kind and precision
  std::vector<OperatorErrors> sizes;   // by kind, precision and measured latency
  std::size_t skipped = 0;  // rows of devices or formats that are not simulated, or without data of their session
};

// Simulates each operator alone on the nearest of `devices` (launched by the host), with the clock and host time of its
// measuring session (sessions.h); rows of our own benchmarks on the captured one.
OperatorValidation validate_operators(std::span<const MeasuredOperator> operators,
                                      std::span<const simulated::DeviceDescription> devices);

// Returns an SVG drawing of the operators of one kind: the simulated latency over the measured one, both in µs from 10
// to 10⁶ on logarithmic axes, with the diagonal and lines 25 % above and below. Close points are one square, darker
// for more points (1 to 2, 3 to 9, 10 and more), so that the drawing stays small.
std::string operators_svg(const OperatorValidation& validation, MeasuredKind kind);

}  // namespace iosx
