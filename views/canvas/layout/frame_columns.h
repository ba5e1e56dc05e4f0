#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "views/canvas/layout/frame_plan.h"

namespace iosx::canvas {

// Fold a tall frame of our own layout into neighbouring columns of at most this height, as far as layers allow, like a
// text. It cuts between layers where few edges cross. A cut edge leads below the column's foot to the right, up between
// the columns and over the next head to its continuation; each producer has one line, in lanes that do not cross while
// producers continue in the order of their arrival. They are deterministic. A frame of one layer stays.
FrameLayout folded(const FramePlan& plan, const FrameLayout& layout, double height);
Size folded_size(const FramePlan& plan, const FrameLayout& layout, double height);

inline constexpr double kHeaderHeight = 30;
inline constexpr double kFramePadding = 14;
inline constexpr double kFrameGap = 34;  // between stacked frames
inline constexpr double kFrameColumnGap = 64;
inline constexpr double kCollapsedWidth = 260;
inline constexpr double kCollapsedGap = 16;

// Returns the size of the panel around a frame with content of size `inner` and a header of that height.
Size framed(const FramePlan& plan, const Size& inner, double header = kHeaderHeight);

// The column of each frame; frames keep their order.
struct FrameColumns {
  std::vector<std::size_t> column_of;  // per frame
  double width = 0;
  double height = 0;
  // Returns the pixels per unit of length in a window of this aspect ratio and height 1.
  double scale(double aspect) const;
};
// Returns the columns that show the whole at the largest scale in a window of this aspect ratio.
FrameColumns choose_columns(const std::vector<Size>& sizes, double aspect);

// Folds frames of layered layouts that are so tall that the whole would be a thin column, where that shows it clearly
// larger.
void fold_tall_frames(const std::vector<FramePlan>& plans, std::vector<FrameLayout>& layouts, double aspect);

}  // namespace iosx::canvas
