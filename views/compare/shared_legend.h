#pragma once

#include <QWidget>
#include <array>

#include "views/canvas/paint/graph_legend.h"
#include "views/canvas/paint/overlay.h"
#include "views/style/theme.h"

namespace iosx {

// Shows the one legend of both canvases, in a row below them: what colours and signs mean on either, and the scale of
// each canvas that is coloured by a figure. It is as high as it needs to be for its width.
class SharedLegend final : public QWidget {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(SharedLegend)

 public:
  explicit SharedLegend(QWidget* parent = nullptr);

  // Sets what stands on either canvas, and the scales of A and of B, of which those are shown that are active.
  void setLegend(canvas::GraphLegend legend, std::array<canvas::OverlayScale, 2> scales);
  void setTheme(const Theme& theme);
  const canvas::GraphLegend& legend() const { return legend_; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  double scalesHeight() const;
  void fitHeight();

  canvas::GraphLegend legend_;
  std::array<canvas::OverlayScale, 2> scales_;
  Theme theme_ = Theme::light();
};

}  // namespace iosx
