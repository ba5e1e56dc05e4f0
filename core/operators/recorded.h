#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/devices/store/measurement_store.h"
#include "core/operators/measured_table.h"
#include "core/operators/predictor.h"

namespace iosx {

// Is what one device of a table took for its operators, as a store keeps it.
struct RecordedSet {
  MeasurementSet set;
  std::vector<Measurement> measurements;
  std::vector<DescribedStage> stages;
};
struct RecordedOperators {
  std::vector<RecordedSet> sets;  // by device and precision
  std::int64_t skipped = 0;       // rows that are mostly host time, or whose host time is not known, or absurd
};

// Returns operators that others measured as recorded ones, without the host time of their sessions (sessions.h). Of
// rows of one shape the median counts. `terms` says in which form stages run on a device; nothing where it is not
// known.
using TermsOf = std::function<std::optional<DeviceTerms>(std::string_view device)>;
RecordedOperators recorded_operators(std::span<const MeasuredOperator> operators, const TermsOf& terms);

// Returns what a table's operator is to a predictor.
OperatorFeatures features_of(const MeasuredOperator& measured);

// Returns what a card of the tables does at most in float32, by its data sheet; nothing for one that is not known.
std::optional<DeviceRates> rates_of_card(std::string_view name);

}  // namespace iosx
