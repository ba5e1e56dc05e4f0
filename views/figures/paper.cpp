#include "views/figures/paper.h"

#include <fmt/format.h>

#include <QFont>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

namespace iosx {
namespace {

constexpr double kMmPerInch = 25.4;

Result<void> within(double value, const PaperLimits& limits, const char* what, const char* unit) {
  if (value >= limits.least && value <= limits.most) return {};
  return fail(message("{} cannot be {:g} {}", what, value, unit), {},
              message("give {:g} to {:g} {}", limits.least, limits.most, unit));
}

constexpr int kDotsPerInch = 96;
constexpr int kSide = 1 << 14;  // no figure is clipped at it

class MeterEngine final : public QPaintEngine {
 public:
  MeterEngine() : QPaintEngine(AllFeatures) {}

  bool begin(QPaintDevice*) override { return true; }
  bool end() override { return true; }
  Type type() const override { return User; }
  void updateState(const QPaintEngineState&) override {}
  void drawPath(const QPainterPath&) override {}
  void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
  void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
  void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}

  void drawTextItem(const QPointF&, const QTextItem& item) override {
    if (item.text().trimmed().isEmpty()) return;
    const QFont font = item.font();
    const double size = font.pixelSize() > 0 ? font.pixelSize() : font.pointSizeF() * kDotsPerInch / 72;
    const double scale = std::sqrt(std::abs(painter()->transform().determinant()));
    smallest = std::min(smallest.value_or(size * scale), size * scale);
  }

  std::optional<double> smallest;
};

class MeterDevice final : public QPaintDevice {
 public:
  QPaintEngine* paintEngine() const override { return &engine_; }
  std::optional<double> smallest() const { return engine_.smallest; }

 protected:
  int metric(PaintDeviceMetric metric) const override {
    switch (metric) {
      case PdmWidth:
      case PdmHeight: return kSide;
      case PdmWidthMM:
      case PdmHeightMM: return static_cast<int>(kSide * kMmPerInch / kDotsPerInch);
      case PdmDpiX:
      case PdmDpiY:
      case PdmPhysicalDpiX:
      case PdmPhysicalDpiY: return kDotsPerInch;
      case PdmDepth: return 32;
      case PdmNumColors: return std::numeric_limits<int>::max();
      case PdmDevicePixelRatio: return 1;
      case PdmDevicePixelRatioScaled: return static_cast<int>(devicePixelRatioFScale());
      default: return QPaintDevice::metric(metric);
    }
  }

 private:
  mutable MeterEngine engine_;  // paintEngine() is const, and what it returns is painted on
};

}  // namespace

Result<double> parse_paper_width(const QString& text) {
  const QString word = text.trimmed().toLower();
  if (word == QLatin1String("single")) return kSingleColumnMm;
  if (word == QLatin1String("double")) return kDoubleColumnMm;
  const bool inches = word.endsWith(QLatin1String("in"));
  bool number = inches || word.endsWith(QLatin1String("mm"));
  const double value = number ? word.chopped(2).toDouble(&number) : 0;
  if (!number) {
    return fail(message("is not a width of a figure"), text.toStdString(),
                message("give a width such as 84mm, 3.3in, single or double (column)"));
  }
  const double mm = inches ? value * kMmPerInch : value;
  IOS_TRY(within(mm, kPaperWidthMm, "a figure's width", "mm"));
  return mm;
}

Result<void> check(const PaperFormat& paper) {
  IOS_TRY(within(paper.width_mm, kPaperWidthMm, "a figure's width", "mm"));
  IOS_TRY(within(paper.font_points, kPaperFontPoints, "a figure's text", "pt"));
  return within(paper.png_dpi, kPaperDpi, "a figure's resolution", "dpi");
}

std::optional<double> smallest_text(const std::function<void(QPainter&)>& paint) {
  MeterDevice device;
  QPainter painter(&device);
  paint(painter);
  painter.end();
  return device.smallest();
}

}  // namespace iosx
