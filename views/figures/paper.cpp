#include "views/figures/paper.h"

#include <fmt/format.h>

#include <string>

namespace iosx {
namespace {

constexpr double kMmPerInch = 25.4;

Result<void> within(double value, const PaperLimits& limits, const char* what, const char* unit) {
  if (value >= limits.least && value <= limits.most) return {};
  return fail(message("{} cannot be {:g} {}", what, value, unit), {},
              message("give {:g} to {:g} {}", limits.least, limits.most, unit));
}

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
  if (auto width = within(paper.width_mm, kPaperWidthMm, "a figure's width", "mm"); !width) return width;
  if (auto font = within(paper.font_points, kPaperFontPoints, "a figure's text", "pt"); !font) return font;
  return within(paper.png_dpi, kPaperDpi, "a figure's resolution", "dpi");
}

}  // namespace iosx
