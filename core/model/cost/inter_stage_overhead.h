#pragma once

#include <array>
#include <optional>

#include "core/base/duration.h"
#include "core/model/schedule/schedule.h"

namespace iosx {

// The property of a stage that its neighbours depend on.
enum class StageWidth { kOneLane, kSeveralLanes };
inline constexpr std::array kStageWidths{StageWidth::kOneLane, StageWidth::kSeveralLanes};

StageWidth width_of(const Stage& stage);

// The time of a run between two stages, in ms, in addition to the stages' own latencies: waits for several lanes, and
// launches that nothing hides. All zero where a stage's own latency includes it.
struct InterStageOverhead {
  using ByWidth = std::array<Millis, 2>;  // of the next stage
  ByWidth first{};                        // before the first stage of a run
  std::array<ByWidth, 2> between{};       // by the width of the previous stage

  Millis before(std::optional<StageWidth> last, StageWidth next) const;
  Millis sum(const Schedule& schedule) const;  // all overhead of a run

  friend bool operator==(const InterStageOverhead&, const InterStageOverhead&) = default;
};

}  // namespace iosx
