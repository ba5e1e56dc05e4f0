#pragma once

#include <memory>
#include <optional>

#include "views/canvas/frame_layout.h"

namespace iosx::canvas {

// Lays out a frame without bands with Graphviz' dot. A call cannot be interrupted, so frames with more than
// kMaxGraphvizNodes boxes are refused; below that a call takes a few tenths of a second at most.
inline constexpr std::size_t kMaxGraphvizNodes = 300;

// Any thread may use it; calls of all instances wait for one another, because Graphviz keeps global state.
class GraphvizLayout {
 public:
  GraphvizLayout();
  ~GraphvizLayout();
  GraphvizLayout(const GraphvizLayout&) = delete;
  GraphvizLayout& operator=(const GraphvizLayout&) = delete;

  // Returns none where Graphviz fails (a missing plug-in, for example), refuses, or omits an edge.
  std::optional<FrameLayout> layout(const FramePlan& plan);

 private:
  struct Context;
  std::unique_ptr<Context> context_;  // made on first use
};

}  // namespace iosx::canvas
