#pragma once

#include <QWidget>
#include <array>

#include "views/canvas/paint/graph_legend.h"
#include "views/canvas/paint/overlay.h"
#include "views/style/theme.h"

namespace iosx {

// The common legend of both canvases, in a row below them: colours and signs of either, and the scale of each canvas
// that is coloured by a figure. Its height follows from its width.
class SharedLegend final : public QWidget {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(SharedLegend)

 public:
  explicit SharedLegend(QWidget* parent = nullptr);

  // Sets the entries of both canvases, and the scales of A and of B, of which the active ones are shown.
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
