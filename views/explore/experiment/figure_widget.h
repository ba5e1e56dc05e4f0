#pragma once

#include <QWidget>
#include <memory>

#include "views/figures/figure.h"
#include "views/style/theme.h"

namespace iosx {

// Shows a figure as in its export, in the window's theme and size.
class FigureWidget final : public QWidget {
  Q_OBJECT

 public:
  explicit FigureWidget(std::unique_ptr<Figure> figure, QWidget* parent = nullptr);

  const Figure& figure() const { return *figure_; }
  void setTheme(const Theme& theme);

  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::unique_ptr<Figure> figure_;
  Theme theme_ = Theme::light();
};

}  // namespace iosx
