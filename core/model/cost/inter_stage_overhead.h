#pragma once

#include <array>
#include <optional>

#include "core/base/duration.h"
#include "core/model/schedule/schedule.h"

namespace iosx {

// Says what matters of a stage to the stages beside it.
enum class StageWidth { kOneLane, kSeveralLanes };
inline constexpr std::array kStageWidths{StageWidth::kOneLane, StageWidth::kSeveralLanes};

StageWidth width_of(const Stage& stage);

// Holds what a run spends between two stages, in ms, on top of the latencies that the stages have by themselves: waits
// for several lanes, launches that nothing hides. All zero where a stage's own latency holds that already.
struct InterStageOverhead {
  using ByWidth = std::array<Millis, 2>;  // of the stage that follows
  ByWidth first{};                        // before the first stage of a run
  std::array<ByWidth, 2> between{};       // by the width of the stage before

  Millis before(std::optional<StageWidth> last, StageWidth next) const;
  Millis sum(const Schedule& schedule) const;  // of all overhead of a run

  friend bool operator==(const InterStageOverhead&, const InterStageOverhead&) = default;
};

}  // namespace iosx
