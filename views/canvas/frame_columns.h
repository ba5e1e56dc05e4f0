#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "views/canvas/frame_layout.h"

namespace iosx::canvas {

inline constexpr double kHeaderHeight = 30;
inline constexpr double kFramePadding = 14;
inline constexpr double kFrameGap = 34;  // between frames under one another
inline constexpr double kFrameColumnGap = 64;
inline constexpr double kCollapsedWidth = 260;
inline constexpr double kCollapsedGap = 16;

// Returns the size of the panel around a frame whose content has the size `inner`.
Size framed(const FramePlan& plan, const Size& inner);

// Says in which column each frame stands; frames keep their order.
struct FrameColumns {
  std::vector<std::size_t> column_of;  // a frame
  double width = 0;
  double height = 0;
  // Returns how many pixels a unit of length has in a window of this aspect ratio and height 1.
  double scale(double aspect) const;
};
// Returns the columns that let the whole be seen largest in a window of this aspect ratio.
FrameColumns choose_columns(const std::vector<Size>& sizes, double aspect);

// Folds frames that are so tall that the whole would be a thin column, where that lets it be seen clearly larger. With
// `expanded` it is that part's frames that are to fill the window. Only frames of our own layout can be folded.
void fold_tall_frames(const std::vector<FramePlan>& plans, std::vector<FrameLayout>& layouts, double aspect,
                      std::optional<PartId> expanded);

}  // namespace iosx::canvas
