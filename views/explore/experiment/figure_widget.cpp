#include "views/explore/experiment/figure_widget.h"

#include <QPainter>
#include <utility>

#include "views/style/style.h"

namespace iosx {
namespace {

constexpr double kMargin = 12;

}  // namespace

FigureWidget::FigureWidget(std::unique_ptr<Figure> figure, QWidget* parent)
    : QWidget(parent), figure_(std::move(figure)) {
  setAccessibleName(figure_->title());
  follow_theme(this, [this](const Theme& theme) { setTheme(theme); });
}

void FigureWidget::setTheme(const Theme& theme) {
  theme_ = theme;
  update();
}

QSize FigureWidget::sizeHint() const {
  const QSizeF size = figure_->size() + QSizeF(2 * kMargin, 2 * kMargin);
  return size.toSize();
}

void FigureWidget::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  painter.fillRect(rect(), theme_.canvas);
  figure_->paint(painter, QRectF(rect()).adjusted(kMargin, kMargin, -kMargin, -kMargin), theme_);
}

}  // namespace iosx

#include "moc_figure_widget.cpp"
