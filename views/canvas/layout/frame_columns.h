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

// The best height of columns for folding tall frames, and the resulting scale: pixels per unit of
// length in a window of height 1.
struct Fold {
  double height = 0;
  double scale = 0;
};
// Returns the best fold if it shows the whole clearly larger. With `expanded` that part's frames
// are to fill the window, here and below.
std::optional<Fold> find_fold(const std::vector<FramePlan>& plans, const std::vector<FrameLayout>& layouts,
                              double aspect, std::optional<PartId> expanded);
void fold_frames(const std::vector<FramePlan>& plans, std::vector<FrameLayout>& layouts, double height,
                 std::optional<PartId> expanded);
// Returns whether one scale is not clearly smaller than the other.
bool nearly_as_large(double scale, double other);
// Returns the scale of the whole without folding.
double frames_scale(const std::vector<FramePlan>& plans, const std::vector<FrameLayout>& layouts, double aspect,
                    std::optional<PartId> expanded);

// Folds frames that are so tall that the whole would be a thin column, where that shows it clearly larger. With
// `expanded` that part's frames are to fill the window. Only frames of our own layout can be folded.
void fold_tall_frames(const std::vector<FramePlan>& plans, std::vector<FrameLayout>& layouts, double aspect,
                      std::optional<PartId> expanded);

}  // namespace iosx::canvas
