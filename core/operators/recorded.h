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

// Collects measurements of operators by others as recorded ones, without the host time of their sessions
// (sessions.h). The median of rows with one shape counts. A row takes about 200 bytes until hand_over().
class RecordedOperators {
 public:
  // Returns the form of stages on a device; none where unknown. May be empty.
  using TermsOf = std::function<std::optional<DeviceTerms>(std::string_view device)>;
  // Receives some operators of one device in one precision, in the form of a store.
  using Taker =
      FunctionRef<Result<void>(const MeasurementSet&, std::span<const Measurement>, std::span<const DescribedStage>)>;

  void add(const MeasuredOperator& measured);
  // Returns how many rows were skipped: mostly host time, unknown host time, absurd values, or no operators.
  std::int64_t skipped() const { return skipped_; }
  // Passes all on in the order of devices, precisions and keys, about a thousand at a time. An error of the taker
  // ends it.
  Result<void> hand_over(const TermsOf& terms, Taker take) &&;

 private:
  struct Row {
    StageKey key;
    double ms = 0;
    OperatorFeatures features;
  };
  using Device = std::tuple<std::string, std::string, std::string>;  // name, source, precision
  std::map<Device, std::deque<Row>> devices_;
  std::int64_t skipped_ = 0;
};

// Returns the features of a table's operator.
OperatorFeatures features_of(const MeasuredOperator& measured);

// Returns a table card's peak rates in float32 by its data sheet; none for an unknown card.
std::optional<DeviceRates> rates_of_card(std::string_view name);

}  // namespace iosx
