#include "views/canvas/paint/graph_legend.h"

#include "views/figures/paint.h"
#include "views/style/fills.h"
#include "views/text/translate.h"

#include <QFontMetricsF>
#include <QLinearGradient>
#include <QPainter>
#include <algorithm>
#include <tuple>
#include <utility>

namespace iosx::canvas {
namespace {

constexpr double kPadding = 12;  // left and right
constexpr double kRow = 20;
constexpr double kEdge = 2;  // above the first and below the last row
constexpr double kSign = 18;
constexpr double kSignGap = 6;  // between a sign and its text
constexpr double kEntryGap = 16;
constexpr double kScaleBar = 80;

QFont legend_font() {
  QFont font = body_font();
  font.setPixelSize(11);
  return font;
}

double advance(const QString& text) { return std::ceil(QFontMetricsF(legend_font()).horizontalAdvance(text)) + 1; }

}  // namespace

GraphLegend::GraphLegend(const Model& model, const std::vector<UnitMark>& marks, const PartGains& gains, bool ties) {
  std::array<bool, kUnitChanges> changed{};
  for (const UnitMark& mark : marks) {
    if (!mark.quiet) changed[static_cast<std::size_t>(mark.change)] = true;
  }
  for (std::size_t c = 1; c < kUnitChanges; ++c) {  // what is the same has no sign
    const auto change = static_cast<UnitChange>(c);
    const QString word = change_word(change);
    const QString text = change == UnitChange::kAlike ? Text::tr("same in both; most units differ") : word;
    if (changed[c]) entries_.push_back({text, word, Entry::Sign::kChange, {}, change});
  }
  std::array<bool, kOperatorClasses> present{};
  for (const UnitLabel& label : model.labels) present[static_cast<std::size_t>(label.what)] = true;
  for (std::size_t c = 0; c < kOperatorClasses; ++c) {
    const auto what = static_cast<OperatorClass>(c);
    const QString name = class_text(what);
    if (present[c]) entries_.push_back({name, name, Entry::Sign::kKind, what, {}});
  }
  const auto sign = [this](Entry::Sign which, const QString& text, const QString& brief) {
    entries_.push_back({text, brief, which, {}, {}});
  };
  if (model.schedule) sign(Entry::Sign::kBeside, Text::tr("side by side: run at once"), Text::tr("run at once"));
  if (ties) sign(Entry::Sign::kTie, Text::tr("run at once in this schedule only"), Text::tr("at once only here"));
  if (model.schedule)
    sign(Entry::Sign::kFlight, Text::tr("kernels in flight; hollow: of other parts"), Text::tr("in flight"));
  if (const UnitSpans* spans = model.label.spans.get()) {
    const auto several = [](const auto& list) { return list.size() > 1; };
    if (std::ranges::any_of(spans->of_unit, several)) {
      sign(Entry::Sign::kWaits, Text::tr("waits between its kernels"), Text::tr("waits"));
      sign(Entry::Sign::kEarly, Text::tr("kernel that began before the unit above ended"), Text::tr("early kernel"));
    }
    if (std::ranges::any_of(spans->of_unit, [](const auto& list) { return list.empty(); })) {
      sign(Entry::Sign::kPill, Text::tr("no kernel of its own"), Text::tr("no kernel"));
    }
  }
  const auto merged_stage = [](const Stage& stage) {
    return std::ranges::any_of(stage.groups, [](const Group& group) {
      return std::ranges::any_of(group.steps, [](const Step& step) { return step.merged(); });
    });
  };
  const bool of_file = std::ranges::any_of(model.labels, &UnitLabel::merged);
  if (of_file || (model.schedule && std::ranges::any_of(model.schedule->stages, merged_stage))) {
    sign(Entry::Sign::kMerged, Text::tr("merged: layers run as one"), Text::tr("merged"));
  }
  if (model.schedule && model.label.launches.empty()) {
    sign(Entry::Sign::kBarrier, Text::tr("barrier: all above has ended"), Text::tr("barrier"));
  }
  if (gains.active()) {
    entries_.push_back({Text::tr("saving of the part, ms, against %1").arg(gains.baseline()),
                        gains.perSample() ? Text::tr("saves, ms per sample") : Text::tr("saves, ms"),
                        Entry::Sign::kSaves,
                        {},
                        {}});
  }
  if (gains.anyLoses()) {
    entries_.push_back({Text::tr("part takes longer"), Text::tr("takes longer"), Entry::Sign::kLoses, {}, {}});
  }
}

void GraphLegend::add(const GraphLegend& other) {
  const auto key = [](const Entry& entry) { return std::tuple(entry.sign, entry.change, entry.what); };
  for (const Entry& entry : other.entries_) {
    const auto same = [&](const Entry& own) { return key(own) == key(entry); };
    if (std::ranges::none_of(entries_, same)) entries_.push_back(entry);
  }
  std::ranges::stable_sort(entries_, {}, key);
}

QStringList GraphLegend::texts() const {
  QStringList texts;
  for (const Entry& entry : entries_) texts << entry.text;
  return texts;
}

std::vector<GraphLegend::Entry> GraphLegend::entries(const OverlayScale& overlay) const {
  std::vector<Entry> all;
  const auto note = [&](const QString& text) { all.push_back({text, text, Entry::Sign::kNote, {}, {}}); };
  if (overlay.active()) {
    all.push_back({overlay.title(), overlay.title(), Entry::Sign::kScale, {}, {}});
  } else if (!overlay.title().isEmpty()) {
    note(overlay.title());
  }
  for (const QString& text : overlay.notes()) note(text);
  all.insert(all.end(), entries_.begin(), entries_.end());
  return all;
}

double GraphLegend::ownWidth(const Entry& entry, const QString& text, const OverlayScale& overlay) {
  if (entry.sign == Entry::Sign::kNote) return advance(text);
  if (entry.sign != Entry::Sign::kScale) return kSign + kSignGap + advance(text);
  return advance(text) + advance(overlay.low()) + advance(overlay.high()) + kScaleBar + 3 * kSignGap;
}

double GraphLegend::columnWidth(const OverlayScale& overlay) const {
  double widest = 0;
  for (const Entry& entry : entries(overlay)) {
    if (entry.sign == Entry::Sign::kNote || entry.sign == Entry::Sign::kScale) continue;  // these take two rows
    widest = std::max(widest, ownWidth(entry, entry.brief, overlay));
  }
  return widest + 2 * kPadding;
}

std::vector<GraphLegend::Placed> GraphLegend::place(const std::vector<Entry>& entries, double width,
                                                    const OverlayScale& overlay) const {
  std::vector<Placed> placed;
  for (const bool brief : {false, true}) {
    placed.clear();
    const double room = std::max(0.0, width - 2 * kPadding);
    double x = kPadding;
    double y = kEdge;
    double row = kRow;
    for (const Entry& entry : entries) {
      const QString text = brief ? entry.brief : entry.text;
      const double own = ownWidth(entry, text, overlay);
      if (x > kPadding && x + own > width - kPadding) {
        x = kPadding;
        y += std::exchange(row, kRow);
      }
      const bool tall = own > room && (entry.sign == Entry::Sign::kNote || entry.sign == Entry::Sign::kScale);
      if (tall) row = entry.sign == Entry::Sign::kNote ? kRow * std::ceil(1.15 * own / std::max(room, 1.0)) : 2 * kRow;
      placed.push_back({&entry, text, QRectF(x, y, std::min(own, room), row)});
      x += own + kEntryGap;
    }
    if (y == kEdge && row == kRow) break;  // all in one row
  }
  return placed;
}

double GraphLegend::height(double width, const OverlayScale& overlay) const {
  const std::vector<Entry> all = entries(overlay);
  return all.empty() ? 0 : place(all, width, overlay).back().box.bottom() + kEdge;
}

// Paints a sign of the weave; returns false for others.
bool GraphLegend::paintWeaveSign(QPainter& painter, const QRectF& sign, Entry::Sign which, const Theme& theme) {
  const QColor fill = theme.operatorFill(OperatorClass::kConv1x1);
  const QPointF center = sign.center();
  const auto two = [&] {
    painter.fillRect(QRectF(sign.left(), center.y() - 4, 7, 8), fill);
    painter.fillRect(QRectF(sign.right() - 7, center.y() - 4, 7, 8), theme.operatorFill(OperatorClass::kConv3x3));
  };
  switch (which) {
    case Entry::Sign::kBeside: two(); return true;
    case Entry::Sign::kTie:
      two();
      painter.fillRect(QRectF(sign.left() + 4, center.y() - 1.5, sign.width() - 8, 3), theme.accent);
      return true;
    case Entry::Sign::kFlight:
      painter.fillRect(QRectF(center.x() - 8, center.y() - 3, 6, 6), theme.text);
      paint_box(painter, QPen(theme.text, 1), Qt::NoBrush, QRectF(center.x() + 1.5, center.y() - 2.5, 5, 5));
      return true;
    case Entry::Sign::kWaits:
      painter.fillRect(QRectF(center.x() - 1, sign.top(), 2, sign.height()), fill);
      painter.fillRect(QRectF(center.x() - 7, sign.top(), 14, 4), fill);
      painter.fillRect(QRectF(center.x() - 7, sign.bottom() - 4, 14, 4), fill);
      return true;
    case Entry::Sign::kEarly: painter.fillRect(QRectF(center.x() - 2.5, center.y() - 2.5, 5, 5), fill); return true;
    case Entry::Sign::kPill:
      paint_box(painter, QPen(theme.boxLine, 1), theme.canvas, QRectF(sign.left(), center.y() - 3.5, sign.width(), 7),
                3.5);
      return true;
    case Entry::Sign::kBarrier:
      painter.fillRect(QRectF(sign.left(), center.y() - 1, sign.width(), 2), theme.text);
      return true;
    default: return false;
  }
}

void GraphLegend::paintSign(QPainter& painter, const QRectF& sign, const Entry& entry, const Theme& theme) const {
  if (paintWeaveSign(painter, sign, entry.sign, theme)) return;
  if (entry.sign == Entry::Sign::kMerged) {
    paint_box(painter, QPen(theme.boxLine, 1.1), Qt::NoBrush, sign, 4);
    painter.drawRoundedRect(sign.adjusted(2.5, 2.5, -2.5, -2.5), 2, 2);
    return;
  }
  if (entry.sign == Entry::Sign::kSaves || entry.sign == Entry::Sign::kLoses) {
    const bool loses = entry.sign == Entry::Sign::kLoses;
    paint_box(painter, QPen(theme.outline, 1), gain_band(loses ? 1 : -1, 0, theme), sign);
    painter.setPen(QPen(gain_color(false, theme), 1));
    if (loses) {
      for (const QLineF& line : hatch_lines(sign, Hatch::kRising, 6)) painter.drawLine(line);
    }
    return;
  }
  if (entry.sign == Entry::Sign::kChange) {
    paint_change(painter, QRectF(sign.center() - QPointF(7, 7), QSizeF(14, 14)), entry.change, theme);
    return;
  }
  const QColor fill = theme.operatorFill(entry.what);
  paint_box(painter, Qt::NoPen, fill, sign, 3);
  paint_hatch(painter, sign, theme.operatorHatch(entry.what), fill);
  QFont letter = name_font();
  letter.setPixelSize(10);
  paint_text(painter, letter, Theme::readableOn(fill), sign, Qt::AlignCenter, class_sign(entry.what));
}

void GraphLegend::paintScale(QPainter& painter, const QRectF& box, const QString& title, const OverlayScale& overlay,
                             const Theme& theme) const {
  double x = box.left();
  double y = box.top();
  const auto text = [&](const QString& words, const QColor& color) {
    paint_text(painter, color, QRectF(x, y, advance(words), kRow), kAtLeft, words);
    x += advance(words) + kSignGap;
  };
  text(title, theme.text);
  if (box.height() > kRow) {  // the bar stands below its title
    x = box.left();
    y += kRow;
  }
  text(overlay.low(), theme.mutedText);
  const QRectF bar(x, y + kRow / 2 - 5, kScaleBar, 10);
  QLinearGradient gradient(bar.topLeft(), bar.topRight());
  for (int i = 0; i <= 16; ++i) gradient.setColorAt(i / 16.0, overlay.at(i / 16.0, theme));
  painter.fillRect(bar, gradient);
  paint_box(painter, QPen(theme.boxLine, 1), Qt::NoBrush, bar);
  x += kScaleBar + kSignGap;
  text(overlay.high(), theme.mutedText);
}

void GraphLegend::paintSigns(QPainter& painter, const QRectF& row, const Theme& theme) const {
  painter.setRenderHint(QPainter::Antialiasing);
  using Sign = Entry::Sign;
  double x = row.left();
  for (const Sign sign : {Sign::kBeside, Sign::kTie, Sign::kMerged, Sign::kBarrier, Sign::kFlight, Sign::kWaits,
                          Sign::kPill, Sign::kEarly}) {
    const auto entry = std::ranges::find(entries_, sign, &Entry::sign);
    if (entry == entries_.end()) continue;
    const double width = ownWidth(*entry, entry->brief, {});
    if (x + width > row.right()) continue;
    paintSign(painter, QRectF(x, row.center().y() - 6.5, kSign, 13), *entry, theme);
    const QRectF text(x + kSign + kSignGap, row.top(), width - kSign - kSignGap + 2, row.height());
    paint_text(painter, legend_font(), theme.mutedText, text, kAtLeft, entry->brief);
    x += width + kEntryGap;
  }
}

void GraphLegend::paint(QPainter& painter, const QRectF& area, const OverlayScale& overlay, const Theme& theme) const {
  painter.setRenderHint(QPainter::Antialiasing);
  const std::vector<Entry> all = entries(overlay);
  for (const Placed& placed : place(all, area.width(), overlay)) {
    const QRectF box = placed.box.translated(area.topLeft());
    painter.setFont(legend_font());
    if (placed.entry->sign == Entry::Sign::kScale) {
      paintScale(painter, box, placed.text, overlay, theme);
      continue;
    }
    if (placed.entry->sign == Entry::Sign::kNote) {
      paint_text(painter, theme.mutedText, box.adjusted(0, 0, 2, 0), kAtLeft | Qt::TextWordWrap, placed.text);
      continue;
    }
    paintSign(painter, QRectF(box.left(), box.center().y() - 6.5, kSign, 13), *placed.entry, theme);
    paint_text(painter, legend_font(), theme.text, box.adjusted(kSign + kSignGap, 0, 2, 0), kAtLeft, placed.text);
  }
}

}  // namespace iosx::canvas
