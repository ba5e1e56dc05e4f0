#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/devices/simulated/description.h"
#include "core/operators/measured_table.h"

namespace iosx {

// Holds a measured operator's latency and the simulated one, which has the session's host time in it.
struct OperatorPair {
  std::string device;
  MeasuredKind kind = MeasuredKind::kConvolution;
  std::string precision;  // "float32"
  double measured_us = 0;
  double simulated_us = 0;
};

// Says how far the model is off for the operators of one kind, or of one size, on a device. Errors are absolute and
// relative to what was measured; 0.1 is ten per cent.
struct OperatorErrors {
  std::string device;  // empty: all
  std::string kind;    // of name_of(), or a class of sizes: "20 to 50 µs"
  std::string precision;
  std::size_t rows = 0;
  double mape = 0;
  double median = 0;
  double within_25 = 0;  // part of the rows whose ratio is below 1.25
};

struct OperatorValidation {
  std::vector<OperatorPair> pairs;
  std::vector<OperatorErrors> errors;  // by device, kind and precision
  std::vector<OperatorErrors> sizes;   // by kind, precision and measured latency
  std::size_t skipped = 0;  // rows of devices or formats that are not simulated, or without what their session needs
};

// Simulates each operator alone on the nearest of `devices` (launched by the host), with the clock and the host time of
// the session that it was measured in (sessions.h); what our own benchmarks measured on the captured one.
OperatorValidation validate_operators(std::span<const MeasuredOperator> operators,
                                      std::span<const simulated::DeviceDescription> devices);

}  // namespace iosx
