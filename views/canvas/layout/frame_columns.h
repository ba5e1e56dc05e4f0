#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "views/canvas/layout/frame_layout.h"

namespace iosx::canvas {

inline constexpr double kHeaderHeight = 30;
inline constexpr double kFramePadding = 14;
inline constexpr double kFrameGap = 34;  // between frames under one another
inline constexpr double kFrameColumnGap = 64;
inline constexpr double kCollapsedWidth = 260;
inline constexpr double kCollapsedGap = 16;

// Returns the size of the panel around a frame whose content has the size `inner`, below a header of that height.
Size framed(const FramePlan& plan, const Size& inner, double header = kHeaderHeight);

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

// Says how high the columns are that tall frames are worth being folded into, and how large the whole is then seen:
// pixels a unit of length in a window of height 1.
struct Fold {
  double height = 0;
  double scale = 0;
};
// Returns the best one where that lets the whole be seen clearly larger. With `expanded` it is that part's frames that
// are to fill the window, here and below.
std::optional<Fold> find_fold(const std::vector<FramePlan>& plans, const std::vector<FrameLayout>& layouts,
                              double aspect, std::optional<PartId> expanded);
void fold_frames(const std::vector<FramePlan>& plans, std::vector<FrameLayout>& layouts, double height,
                 std::optional<PartId> expanded);
// Says whether what is seen at one scale is not clearly smaller than at the other.
bool nearly_as_large(double scale, double other);
// Returns how large the whole is seen as it is.
double frames_scale(const std::vector<FramePlan>& plans, const std::vector<FrameLayout>& layouts, double aspect,
                    std::optional<PartId> expanded);

// Folds frames that are so tall that the whole would be a thin column, where that lets it be seen clearly larger. With
// `expanded` it is that part's frames that are to fill the window. Only frames of our own layout can be folded.
void fold_tall_frames(const std::vector<FramePlan>& plans, std::vector<FrameLayout>& layouts, double aspect,
                      std::optional<PartId> expanded);

}  // namespace iosx::canvas
