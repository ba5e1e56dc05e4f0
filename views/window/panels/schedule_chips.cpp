#include "views/window/panels/schedule_chips.h"

#include <QEvent>
#include <QMenu>
#include <QToolButton>
#include <algorithm>
#include <numeric>

#include "views/app_model/session.h"
#include "views/app_model/shown_saving.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"

namespace iosx {
namespace {

constexpr int kChipGap = 6;      // pixels between two chips
constexpr int kChipPadding = 8;  // pixels left and right of its text
constexpr int kArrow = 8;        // pixels more for the arrow of the menu
constexpr int kChipHeight = 8;   // pixels more than its text

int chip_width(const QToolButton& chip) {
  QFont bold = chip.font();
  bold.setBold(true);  // as that of the shown schedule is
  return QFontMetrics(bold).horizontalAdvance(chip.text().replace(QLatin1String("&&"), QLatin1String("&"))) +
         2 * kChipPadding;
}

}  // namespace

ScheduleChips::ScheduleChips(Session& session, const ShownSaving& saving)
    : session_(session), saving_(saving), more_(new QToolButton(this)), menu_(new QMenu(this)) {
  named("schedule-chips", this, tr("Schedules of this run"));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  named("more-schedules", more_)->setProperty("chip", true);
  more_->setFocusPolicy(Qt::TabFocus);
  more_->setPopupMode(QToolButton::InstantPopup);
  more_->setMenu(menu_);
  connect(menu_, &QMenu::aboutToShow, this, &ScheduleChips::fillMenu);
  connect(&group_, &QButtonGroup::idClicked, this,
          [this](int id) { session_.setActiveSchedule(static_cast<std::size_t>(id)); });
  refresh();
}

QString ScheduleChips::text(std::size_t result) const {
  const Comparison& comparison = *session_.comparison();
  const ScheduleResult& own = comparison.results[result];
  const QString title = schedule_title(own);
  const Subject& baseline = saving_.current().baseline;
  if (!baseline.valid() || !comparison.knows_latencies() || !baseline.comparison->knows_latencies()) return title;
  if (baseline.comparison.get() == &comparison && baseline.result == result) return tr("%1 baseline").arg(title);
  return QStringLiteral("%1 %2").arg(title, speed_text(own, baseline.schedule()));
}

QString ScheduleChips::tip(std::size_t result) const {
  const Comparison& comparison = *session_.comparison();
  const ScheduleResult& own = comparison.results[result];
  QStringList lines{tr("%1: %2").arg(schedule_title(own), latency_text(comparison, own))};
  if (saving_.current().baseline.valid()) {
    const QString against = speed_up_text(own, saving_.current().baseline.schedule());
    if (!against.isEmpty()) lines.front() += QStringLiteral(", ") + against;
  }
  if (!comparison.fits(own)) lines << tr("over the memory limit");
  return lines.join(QLatin1Char('\n'));
}

void ScheduleChips::refresh() {
  const auto comparison = session_.comparison();
  const std::size_t count = comparison ? comparison->results.size() : 0;
  for (; chips_.size() > count; chips_.pop_back()) delete chips_.back();
  while (chips_.size() < count) {
    auto* chip = named("schedule-chip", new QToolButton(this));
    chip->setProperty("chip", true);
    chip->setCheckable(true);
    chip->setFocusPolicy(Qt::TabFocus);  // after a click Space plays
    group_.addButton(chip, static_cast<int>(chips_.size()));
    chips_.push_back(chip);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const QString words = text(i);
    chips_[i]->setText(menu_text(words));
    chips_[i]->setAccessibleName(words);
    chips_[i]->setToolTip(plain_tip(tip(i)));
    chips_[i]->setChecked(i == session_.activeSchedule());
  }
  by_rank_ = count > 0 ? byRank() : std::vector<std::size_t>();
  measure();
}

std::vector<std::size_t> ScheduleChips::byRank() const {
  const Comparison& comparison = *session_.comparison();
  std::vector<std::size_t> results(chips_.size());
  std::iota(results.begin(), results.end(), std::size_t{0});
  const Subject& baseline = saving_.current().baseline;
  const auto rank = [&](std::size_t result) {
    if (result == session_.activeSchedule()) return -2.0;
    if (baseline.comparison.get() == &comparison && baseline.result == result) return -1.0;
    return comparison.results[result].latency.value.count();
  };
  std::ranges::stable_sort(results, {}, rank);
  return results;
}

void ScheduleChips::measure() {
  for (QToolButton* chip : chips_) chip->setFixedSize(chip_width(*chip), chip->fontMetrics().height() + kChipHeight);
  more_->setText(tr("+%1").arg(chips_.size()));  // its widest
  more_->ensurePolished();
  more_->setFixedSize(chip_width(*more_) + kArrow, more_->fontMetrics().height() + kChipHeight);
  updateGeometry();
  place();
}

QSize ScheduleChips::sizeHint() const {
  int width = 0;
  for (const QToolButton* chip : chips_) width += chip->width() + kChipGap;
  return {std::max(0, width - kChipGap), more_->height()};
}

QSize ScheduleChips::minimumSizeHint() const {
  if (chips_.empty()) return {0, more_->height()};
  const int least = chips_[by_rank_.front()]->width() + kChipGap + more_->width();
  return {std::min(least, sizeHint().width()), more_->height()};
}

void ScheduleChips::place() {
  const bool all = sizeHint().width() <= width();
  int room = width() - (all ? 0 : more_->width());
  std::vector<bool> shown(chips_.size(), all);
  if (!all && !chips_.empty()) {
    for (const std::size_t result : by_rank_) {
      const int needed = chips_[result]->width() + kChipGap;
      if (needed > room && result != by_rank_.front()) break;
      shown[result] = true;
      room -= needed;
    }
  }
  const auto hidden = std::ranges::count(shown, false);
  more_->setVisible(hidden > 0);
  more_->setText(tr("+%1").arg(hidden));
  more_->setAccessibleName(tr("%n more schedules", nullptr, static_cast<int>(hidden)));
  more_->setToolTip(more_->accessibleName());
  int right = width();
  const auto put = [&](QToolButton& button) {
    button.move(right - button.width(), (height() - button.height()) / 2);
    right -= button.width() + kChipGap;
  };
  if (hidden > 0) put(*more_);
  for (std::size_t i = chips_.size(); i-- > 0;) {
    chips_[i]->setVisible(shown[i]);
    if (shown[i]) put(*chips_[i]);
  }
}

void ScheduleChips::fillMenu() {
  menu_->clear();
  for (std::size_t i = 0; i < chips_.size(); ++i) {
    if (!chips_[i]->isHidden()) continue;
    menu_->addAction(chips_[i]->text(), this, [this, i] { session_.setActiveSchedule(i); })
        ->setToolTip(chips_[i]->toolTip());
  }
}

void ScheduleChips::resizeEvent(QResizeEvent* /*event*/) { place(); }

void ScheduleChips::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) measure();
}

}  // namespace iosx

#include "moc_schedule_chips.cpp"
