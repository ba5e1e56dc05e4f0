#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

#include "core/base/function_ref.h"
#include "core/devices/store/measurement_store.h"
#include "core/operators/measured_table.h"
#include "core/operators/predictor.h"

namespace iosx {

// Collects operators that others measured as recorded ones, without the host time of their sessions (sessions.h). Of
// rows of one shape the median counts. A row takes some 200 bytes until it is handed over.
class RecordedOperators {
 public:
  // Says in which form stages run on a device; nothing where it is not known. It may be empty.
  using TermsOf = std::function<std::optional<DeviceTerms>(std::string_view device)>;
  // Takes some of what one device took for its operators, in one precision, as a store keeps it.
  using Taker =
      FunctionRef<Result<void>(const MeasurementSet&, std::span<const Measurement>, std::span<const DescribedStage>)>;

  void add(const MeasuredOperator& measured);
  // Returns how many rows were left out: mostly host time, or whose host time is not known, or absurd, or no
  // operators.
  std::int64_t skipped() const { return skipped_; }
  // Hands over all in the order of devices, precisions and keys, some thousand at a time. The taker's error ends it.
  Result<void> hand_over(const TermsOf& terms, Taker take) &&;

 private:
  struct Row {
    StageKey key;
    double ms = 0;
    OperatorFeatures features;
  };
  using Device = std::tuple<std::string, std::string, std::string>;  // its name, who measured it, in which precision
  std::map<Device, std::deque<Row>> devices_;
  std::int64_t skipped_ = 0;
};

// Returns what a table's operator is to a predictor.
OperatorFeatures features_of(const MeasuredOperator& measured);

// Returns what a card of the tables does at most in float32, by its data sheet; nothing for one that is not known.
std::optional<DeviceRates> rates_of_card(std::string_view name);

}  // namespace iosx
