#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/recording/opened_recording.h"
#include "views/canvas/layout/geometry.h"

// Where the boxes of a folded recording are drawn. Time goes from left to right; an unfolded box is a frame around what
// is inside it, with its own rows. Lengths are those of the canvas at 100 %.
namespace iosx::recorded {

inline constexpr double kBoxWidth = 178;
inline constexpr double kBoxHeight = 44;
inline constexpr double kFrameHeader = 24;  // at the top of an unfolded box
inline constexpr double kFrameMargin = 12;

struct FoldBox {
  std::uint32_t node = 0;  // of the fold
  canvas::Rect box;
  bool open = false;              // unfolded: a frame
  std::uint32_t kind_kernel = 0;  // a kernel of the kind that takes most of its time
  bool on_path = false;           // one of its kernels is on the critical path
};

struct FoldLine {
  FoldEdge edge;
  canvas::Curve curve;
};

struct FoldLayout {
  std::vector<FoldBox> boxes;  // frames before what is inside them
  std::vector<FoldLine> lines;
  canvas::Rect bounds;

  std::optional<std::size_t> box_at(const canvas::Point& at) const;  // the innermost
  std::optional<std::size_t> find(std::uint32_t node) const;
};

FoldLayout lay_out(const OpenedRecording& opened, const Unfolding& unfolding);

}  // namespace iosx::recorded
