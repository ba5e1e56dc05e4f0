#pragma once

// The measures of the timeline of a recording, in pixels.
namespace iosx::recorded {

inline constexpr double kHeaderWidth = 190;  // left of the axis: names of rows
inline constexpr double kRightRoom = 18;     // right of it
inline constexpr int kRuler = 24;
inline constexpr int kFooter = 20;
inline constexpr double kLaneMargin = 5;  // above and below the kernels of a lane

}  // namespace iosx::recorded
