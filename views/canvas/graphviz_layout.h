#pragma once

#include <memory>
#include <optional>

#include "views/canvas/frame_layout.h"

namespace iosx::canvas {

// Lays a frame without bands out with Graphviz' dot. A call cannot be interrupted, so frames with more than
// kMaxGraphvizNodes boxes are refused; below that a call takes some tenths of a second at most.
inline constexpr std::size_t kMaxGraphvizNodes = 300;

// It may be used on any thread; calls wait for one another, in all instances, because Graphviz keeps global state.
class GraphvizLayout {
 public:
  GraphvizLayout();
  ~GraphvizLayout();
  GraphvizLayout(const GraphvizLayout&) = delete;
  GraphvizLayout& operator=(const GraphvizLayout&) = delete;

  // Returns nothing where Graphviz fails (no plug-in installed, say), refuses, or leaves an edge out.
  std::optional<FrameLayout> layout(const FramePlan& plan);

 private:
  struct Context;
  std::unique_ptr<Context> context_;  // made at first use
};

}  // namespace iosx::canvas
