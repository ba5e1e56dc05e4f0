#include "views/explore/saving/saving_view.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPolygonF>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "views/figures/paint.h"
#include "views/style/fills.h"
#include "views/text/latency_text.h"
#include "views/text/name_fit.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

constexpr int kTextSize = 11;  // pixels
constexpr double kLine = 14;   // of a label
constexpr double kAbove = 6;   // bars; a triangle has room there
constexpr double kWidestBar = 52;
constexpr double kWidestColumn = 150;
constexpr double kWholeColumn = 96;  // of the baseline and of the schedule
constexpr double kLeastBar = 1.5;    // height
constexpr double kBarShare = 0.68;   // of the column
constexpr double kBelow = 0.15;      // of what is saved, from the least level to the foot of the plot
constexpr double kLabelGap = 4;
constexpr double kLeastLabel = 46;

// Returns whether these boxes of labels are too close to be distinguished.
bool touch(const QRectF& a, const QRectF& b) { return a.intersects(b.adjusted(-kLabelGap / 2, 0, kLabelGap / 2, 0)); }

// Returns the decimals of its figures.
int saving_decimals(const SavingSteps& steps) {
  Millis largest{0};
  for (const SavingStep& step : steps.steps) largest = std::max(largest, Millis(std::abs(step.delta.value.count())));
  return change_decimals(largest);
}

bool has_lanes(const SavingFacts& saving) {
  return saving.schedule.schedule().lanes || saving.baseline.schedule().lanes;
}

// Returns a short name: "overhead" for the last.
QString step_label(const SavingFacts& saving, std::size_t step) {
  const SavingStep& of = saving.steps.steps[step];
  if (of.stage) return QString::number(*of.stage + 1);
  if (!of.name.empty()) return shown_name(of.name);
  return has_lanes(saving) ? Text::tr("gaps") : Text::tr("overhead");
}

}  // namespace

SavingPlot::SavingPlot(const SavingFacts& saving, const QRectF& area, const QFont& font)
    : area_(area), font_(sized(font, kTextSize)), plot_(area.adjusted(0, kAbove, 0, -2 * kLine - 3)) {
  placeBars(saving);
  placeLabels(saving);
}

double SavingPlot::y(double ms) const {
  return plot_.bottom() - (ms - low_) / std::max(high_ - low_, 1e-12) * plot_.height();
}

void SavingPlot::placeBars(const SavingFacts& saving) {
  const SavingSteps& steps = saving.steps;
  std::vector<double> left{steps.whole.a.count()};
  for (const SavingStep& step : steps.steps) left.push_back(left.back() + step.delta.value.count());
  const auto [least, most] = std::ranges::minmax_element(left);
  high_ = *most;
  low_ = *least - kBelow * std::max(*most - *least, 0.02 * std::abs(*most));
  broken_ = low_ > 0.1 * high_;
  if (!broken_) low_ = std::min(0.0, *least);
  const double whole = std::min(kWholeColumn, area_.width() * 0.2);
  const double room = (area_.width() - 2 * whole) / std::max<double>(1, static_cast<double>(steps.steps.size()));
  const double width = std::clamp(room, 1.0, kWidestColumn);
  const double bar = std::min(kBarShare * width, kWidestBar);
  const auto whole_bar = [&](double from, double ms) {
    const double own = std::min(kBarShare * whole, kWidestBar);
    return QRectF(QPointF(from + (whole - own) / 2, y(ms)), QPointF(from + (whole + own) / 2, plot_.bottom()));
  };
  const int decimals = saving_decimals(steps);
  double x = area_.left();
  first_ = whole_bar(x, left.front());
  x += whole;
  levels_.push_back(y(left.front()));
  for (std::size_t i = 0; i < steps.steps.size(); ++i) {
    Step& step = steps_.emplace_back();
    step.column = QRectF(x, area_.top(), width, area_.height());
    step.nothing = change_number(steps.steps[i].delta.value, decimals) == QStringLiteral("0");
    step.lost = !step.nothing && steps.steps[i].delta.value > Millis{0};
    step.hollow = i + 1 == steps.steps.size();
    const double top = y(std::max(left[i], left[i + 1]));
    const double height = std::max(kLeastBar, y(std::min(left[i], left[i + 1])) - top);
    step.bar = QRectF(x + (width - bar) / 2, top, bar, height);
    levels_.push_back(y(left[i + 1]));
    x += width;
  }
  second_ = whole_bar(x, left.back());
}

// Returns the names below the steps, shortened as on the canvas.
std::vector<QString> SavingPlot::step_names(const SavingFacts& saving) const {
  const QFontMetricsF metrics(font_);
  std::vector<std::string> names;
  std::vector<double> room;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    names.push_back(step_label(saving, i).toStdString());
    const double own = metrics.horizontalAdvance(qstring(names.back()));
    room.push_back(std::max(std::min(own, kLeastLabel), steps_[i].column.width() - kLabelGap));
  }
  std::vector<QString> shown;
  const auto width = [&](std::string_view text) { return metrics.horizontalAdvance(qstring(text)); };
  for (const std::string& name : fit_family(names, room, width)) shown.push_back(qstring(name));
  return shown;
}

// The whole bars first, then the largest steps: what is small goes without where there is no room.
void SavingPlot::placeLabels(const SavingFacts& saving) {
  const SavingSteps& steps = saving.steps;
  const int decimals = saving_decimals(steps);
  const QFontMetricsF metrics(font_);
  labels_.resize(steps_.size() + 2);
  own_.resize(steps_.size() + 2);
  std::vector<QRectF> taken;
  const std::vector<QString> names = step_names(saving);
  const auto place = [&](std::size_t which, const QRectF& column, const QString& name, const QString& figure) {
    const double least = metrics.horizontalAdvance(figure);
    const double own = std::max(least, metrics.horizontalAdvance(name));
    double width = std::min(own, std::max(least, column.width() - kLabelGap));
    if (width < std::min(own, kLeastLabel))
      width = std::min(own, kLeastLabel);  // over its neighbours, where these say nothing
    QRectF box(column.center().x() - width / 2, area_.bottom() - 2 * kLine, width, 2 * kLine);
    box.moveLeft(std::clamp(box.left(), area_.left(), std::max(area_.left(), area_.right() - width)));
    own_[which] = Label{metrics.elidedText(name, Qt::ElideMiddle, width + 1), figure, box};
    if (std::ranges::any_of(taken, [&](const QRectF& other) { return touch(other, box); })) return;
    taken.push_back(box);
    labels_[which] = own_[which];
  };
  const auto whole = [&](const QRectF& bar) {
    const double width = std::min(kWholeColumn, area_.width() * 0.2);
    return QRectF(bar.center().x() - width / 2, area_.top(), width, area_.height());
  };
  const auto ms = [&](Millis time) { return QString::number(time.count(), 'f', decimals); };
  place(steps_.size(), whole(first_), shown_name(saving.baseline.label), ms(steps.whole.a));
  place(steps_.size() + 1, whole(second_), shown_name(saving.schedule.label), ms(steps.whole.b));
  std::vector<std::size_t> order(steps_.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater<>{},
                           [&](std::size_t i) { return std::abs(steps.steps[i].delta.value.count()); });
  for (const std::size_t i : order) {
    place(i, steps_[i].column, names[i], change_number(steps.steps[i].delta.value, decimals));
  }
}

QRectF SavingPlot::column(std::size_t step) const { return steps_[step].column; }

std::optional<std::size_t> SavingPlot::hit(const QPointF& at) const {
  const auto found = std::ranges::find_if(steps_, [&](const Step& step) { return step.column.contains(at); });
  return found == steps_.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - steps_.begin()));
}

void SavingPlot::paintWhole(QPainter& painter, const QRectF& bar, const QColor& color) const {
  painter.setPen(Qt::NoPen);
  painter.setBrush(color);
  constexpr double kFoot = 4;  // below the gap
  constexpr double kGap = 3;
  if (!broken_ || bar.height() < 2 * (kFoot + kGap)) {
    painter.drawRect(bar);
    return;
  }
  // The gap slants, so that it is not taken for the edge of two bars.
  const double left = bar.bottom() - kFoot;
  const double right = left - kGap;
  painter.drawPolygon(
      QPolygonF({bar.topLeft(), bar.topRight(), {bar.right(), right - kGap}, {bar.left(), left - kGap}}));
  painter.drawPolygon(QPolygonF({{bar.left(), left}, {bar.right(), right}, bar.bottomRight(), bar.bottomLeft()}));
}

void SavingPlot::paintStep(QPainter& painter, const Step& step, const Theme& theme) const {
  const QColor color = step.nothing ? theme.outline : gain_color(!step.lost, theme);
  if (step.hollow && step.bar.height() >= 4) {
    paint_box(painter, QPen(color, 1.5), Qt::NoBrush, step.bar.adjusted(0.75, 0.75, -0.75, -0.75));
  } else {
    paint_box(painter, Qt::NoPen, color, step.bar);
    if (step.lost) paint_hatch(painter, step.bar, Hatch::kRising, color);
  }
  if (!step.lost) return;
  const QPointF foot(step.bar.center().x(), step.bar.top() - 1.5);
  paint_shape(painter, Qt::NoPen, color,
              QPolygonF({foot + QPointF(-4, 0), foot + QPointF(4, 0), foot + QPointF(0, -4.5)}));
}

std::vector<const SavingPlot::Label*> SavingPlot::shownLabels(std::optional<std::size_t> pointed,
                                                              const std::vector<std::size_t>& chosen) const {
  std::vector<const Label*> shown;
  const auto add = [&shown](const Label& label) {
    const bool taken = std::ranges::any_of(shown, [&](const Label* other) { return touch(other->box, label.box); });
    if (!taken) shown.push_back(&label);
  };
  if (pointed) add(own_[*pointed]);
  for (const std::size_t step : chosen) add(own_[step]);
  for (const std::optional<Label>& label : labels_) {
    if (label) add(*label);
  }
  return shown;
}

QRectF SavingPlot::frame(std::size_t step) const {
  const QRectF& column = steps_[step].column;
  const double around = std::max(0.0, (own_[step].box.width() - column.width()) / 2 + kLabelGap);
  return column.adjusted(-around, 0, around, 0);
}

void SavingPlot::paint(QPainter& painter, const Theme& theme, std::optional<std::size_t> pointed,
                       const std::vector<std::size_t>& chosen) const {
  if (levels_.empty()) return;  // of nothing
  painter.setRenderHint(QPainter::Antialiasing);
  const auto ground = [&](std::size_t step, const QColor& color) {
    paint_box(painter, Qt::NoPen, color, frame(step).adjusted(0.5, 0, -0.5, 0), 3);
  };
  for (const std::size_t step : chosen) ground(step, theme.selectionFill);
  if (pointed) ground(*pointed, theme.gridLine);
  // The remaining time leads from each bar to the next one.
  painter.setPen(QPen(theme.outline, 1));
  QRectF before = first_;
  for (std::size_t i = 0; i <= steps_.size(); ++i) {
    const QRectF& next = i < steps_.size() ? steps_[i].bar : second_;
    painter.drawLine(QPointF(before.right(), levels_[i]), QPointF(next.left(), levels_[i]));
    before = next;
  }
  paintWhole(painter, first_, theme.boxLine);
  paintWhole(painter, second_, theme.accent);
  for (const Step& step : steps_) paintStep(painter, step, theme);
  painter.setFont(font_);
  for (const Label* label : shownLabels(pointed, chosen)) {
    const QRectF& box = label->box;
    paint_text(painter, theme.text, QRectF(box.left() - 2, box.top(), box.width() + 4, kLine), Qt::AlignCenter,
               label->figure);
    paint_text(painter, theme.mutedText, QRectF(box.left() - 2, box.top() + kLine, box.width() + 4, kLine),
               Qt::AlignCenter, label->name);
  }
  for (const std::size_t step : chosen) {
    paint_box(painter, QPen(theme.selection, 1.5), Qt::NoBrush, frame(step).adjusted(1, 1, -1, -1), 3);
  }
}

namespace {

QString plain_ms(Millis time, int decimals) { return QString::number(std::abs(time.count()), 'f', decimals); }

// Returns "simulated", or both where the two are not alike; of lanes it says where their parts' times are from.
QString origin_words_of(const SavingFacts& saving, bool of_step) {
  const QString before = origin_text(saving.baseline.schedule().latency.origin);
  const QString after = origin_text(saving.schedule.schedule().latency.origin);
  QString words = before == after ? after : Text::tr("%1 → %2").arg(before, after);
  if (saving.steps.per == Per::kSample) words += Text::tr(", per sample");
  if (of_step && saving.steps.traced) words += Text::tr(", shares of the traced run");
  return words;
}

QString noise_words(const Delta& delta, int decimals) {
  if (!delta.noise) return Text::tr(", noise not known");
  return *delta.noise > Millis{0} ? QStringLiteral(" ± %1").arg(plain_ms(*delta.noise, decimals)) : QString();
}

}  // namespace

QString saving_sentence(const SavingFacts& saving) {
  const QString baseline = saving.baseline.valid() ? shown_name(saving.baseline.label) : QString();
  const QString schedule = saving.schedule.valid() ? shown_name(saving.schedule.label) : QString();
  switch (saving.kind) {
    case SavingFacts::Kind::kNothing: return Text::tr("No schedule yet – press Optimize");
    case SavingFacts::Kind::kNoBaseline:
      return Text::tr("No baseline – choose one in the Project panel to see what this schedule saves");
    case SavingFacts::Kind::kBaseline:
      return Text::tr("%1 is the baseline – choose another schedule to see what it saves, or press Optimize")
          .arg(baseline);
    case SavingFacts::Kind::kUnknown:
      return Text::tr("The savings of %1 by part are not known: its run or that of %2 has no stage times")
          .arg(schedule, baseline);
    case SavingFacts::Kind::kSteps: break;
  }
  const WholeDifference& whole = saving.steps.whole;
  const int decimals = std::max(saving_decimals(saving.steps), change_decimals(whole.delta.value));
  const QString change = plain_ms(whole.delta.value, decimals);
  const QString origin = origin_words_of(saving, false);
  const QString before = plain_ms(whole.a, decimals);
  if (whole.delta.verdict() == Verdict::kSame) {
    return Text::tr("%1 takes as long as %2: %3 ms (%4)").arg(schedule, baseline, before, origin);
  }
  const QString noise = noise_words(whole.delta, decimals);
  return (whole.delta.value < Millis{0} ? Text::tr("%1 saves %2 of %3 ms against %4 (%5)")
                                        : Text::tr("%1 takes %2 ms more than the %3 ms of %4 (%5)"))
      .arg(schedule, change + noise, before, baseline, origin);
}

QString saving_title(const SavingFacts& saving) {
  if (!saving.known()) return saving_sentence(saving);
  return Text::tr("Savings of %1 by part, against %2")
      .arg(shown_name(saving.schedule.label), shown_name(saving.baseline.label));
}

QString step_name(const SavingFacts& saving, std::size_t step) {
  const SavingStep& of = saving.steps.steps[step];
  if (of.stage) return Text::tr("stage %1").arg(*of.stage + 1);
  if (!of.name.empty()) return shown_name(of.name);
  return has_lanes(saving) ? Text::tr("gaps and order") : Text::tr("between stages");
}

QString step_sentence(const SavingFacts& saving, std::size_t step) {
  const SavingStep& of = saving.steps.steps[step];
  const int decimals = saving_decimals(saving.steps) + 1;
  const QString numbers = Text::tr("%1 → %2 ms").arg(plain_ms(of.before, decimals), plain_ms(of.after, decimals));
  const QString change = plain_ms(of.delta.value, decimals) + noise_words(of.delta, decimals);
  const QString baseline = shown_name(saving.baseline.label);
  const QString origin = origin_words_of(saving, !of.units.empty());
  const bool last = step + 1 == saving.steps.steps.size();
  const QString name =
      last ? Text::tr("%1 (time outside all parts)").arg(step_name(saving, step)) : step_name(saving, step);
  if (of.delta.verdict() == Verdict::kSame) {
    return Text::tr("%1 takes as long as with %2: %3 (%4)").arg(name, baseline, numbers, origin);
  }
  return (of.delta.value < Millis{0} ? Text::tr("%1 saves %2 ms: %3 instead of %4 (%5)")
                                     : Text::tr("%1 loses %2 ms: %3 instead of %4 (%5)"))
      .arg(name, change, numbers, baseline, origin);
}

}  // namespace iosx
