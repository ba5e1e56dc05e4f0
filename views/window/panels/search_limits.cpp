#include "views/window/panels/search_limits.h"

#include <QAction>
#include <QCoreApplication>
#include <QFrame>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <algorithm>
#include <utility>

#include "core/search/search.h"
#include "views/style/style.h"
#include "views/text/messages.h"

namespace iosx {
namespace {

constexpr int kWordsWidth = 330;

QLabel* limit_words(const QString& text) {
  auto* label = new QLabel(text);
  label->setWordWrap(true);
  label->setFixedWidth(kWordsWidth);
  return label;
}

// Draws a stage with the maximum groups and units; where these do not fit, some and dots.
class StageSketch final : public QWidget {
 public:
  explicit StageSketch(const Pruning& limits) : limits_(limits) {
    setFixedHeight(static_cast<int>(2 * kAbove + kRow * kMostRows + 10));
    setAccessibleName(QCoreApplication::translate("iosx::SearchLimits", "A stage of the maximum size"));
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Theme theme = theme_of(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.stageBand(0));
    painter.drawRect(rect());
    const auto shown = [](std::size_t value, int most) {
      return value == 0 || value > static_cast<std::size_t>(most) ? most : static_cast<int>(value);
    };
    const int columns = shown(limits_.s, kMostColumns);
    const int rows = shown(limits_.r, kMostRows);
    const bool more_columns = static_cast<std::size_t>(columns) != limits_.s;
    const bool more_rows = static_cast<std::size_t>(rows) != limits_.r;
    const QColor fill = theme.operatorFill(OperatorClass::kConv3x3);
    const double step = kUnit.width() + kBetween;
    for (int c = 0; c < columns; ++c) {
      const double x = kBetween + step * c;
      for (int u = 0; u < rows; ++u) {
        const QRectF box(QPointF(x, kAbove + kRow * u), kUnit);
        painter.setPen(QPen(theme.outline, 1));
        if (u > 0) painter.drawLine(QPointF(box.center().x(), box.top() - 8), QPointF(box.center().x(), box.top()));
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawRoundedRect(box, 2, 2);
      }
      painter.setPen(theme.text);
      if (more_rows) {
        painter.drawText(QRectF(x, kRow * rows, kUnit.width(), 14), Qt::AlignCenter, QStringLiteral("…"));
      }
    }
    if (more_columns) {
      painter.drawText(QRectF(kBetween + step * columns, kAbove, 20, kUnit.height()), Qt::AlignCenter,
                       QStringLiteral("…"));
    }
  }

 private:
  static constexpr int kMostColumns = 8;
  static constexpr int kMostRows = 3;
  static constexpr QSizeF kUnit{26, 14};
  static constexpr double kBetween = 10;
  static constexpr double kAbove = 8;
  static constexpr double kRow = 22;

  const Pruning& limits_;
};

}  // namespace

SearchLimits::SearchLimits(QAction& all, QWidget* parent) : QToolButton(parent), popup_(build(all)) {
  setObjectName(QStringLiteral("search-limits"));
  setFocusPolicy(Qt::StrongFocus);
  connect(this, &QToolButton::clicked, this, &SearchLimits::open);
  describe();
}

QFrame* SearchLimits::build(QAction& all) {
  auto* popup = new QFrame(this, Qt::Popup);
  popup->setObjectName(QStringLiteral("search-limits-popup"));
  popup->setFrameShape(QFrame::StyledPanel);
  auto* grid = new QGridLayout(popup);
  grid->setContentsMargins(16, 14, 16, 14);
  grid->setHorizontalSpacing(12);
  grid->setVerticalSpacing(10);
  int row = 0;
  for (const OptionInfo* info : {&info_of(&SearchOptions::strategies), &info_of(&Pruning::r), &info_of(&Pruning::s)}) {
    const OptionControl& control = controls_.emplace_back(make_option_control(bind_option(options_, *info), [this] {
      describe();
      emit changed();
    }));
    auto* caption = new QLabel(message_text(info->title));
    caption->setBuddy(control.widget);
    grid->addWidget(caption, row, 0, Qt::AlignLeft | Qt::AlignTop);
    grid->addWidget(control.widget, row, 1, Qt::AlignTop);
    grid->addWidget(limit_words(message_text(info->help)), row++, 2);
  }
  sketch_ = new StageSketch(options_.pruning);
  grid->addWidget(sketch_, 3, 0, 1, 3);
  grid->addWidget(new QLabel(tr("Larger limits can find a faster schedule and make the search longer.")), 4, 0, 1, 3);
  auto* foot = new QHBoxLayout;
  auto* usual = new QPushButton(tr("Usual values"));
  usual->setObjectName(QStringLiteral("search-limits-usual"));
  connect(usual, &QPushButton::clicked, this, [this] {
    RunSettings settings;
    settings.options.schedule_kinds = schedule_kinds_within(StrategySet::kBoth);
    show(settings);
    emit changed();
  });
  auto* others = new QPushButton(tr("All settings…"));
  others->setObjectName(QStringLiteral("all-settings"));
  others->setToolTip(all.statusTip());
  connect(others, &QPushButton::clicked, this, [popup, &all] {
    popup->hide();
    all.trigger();
  });
  foot->addWidget(usual);
  foot->addStretch();
  foot->addWidget(others);
  grid->addLayout(foot, 5, 0, 1, 3);
  return popup;
}

void SearchLimits::open() {
  popup_->adjustSize();
  QPoint at = mapToGlobal(QPoint(0, height() + 2));
  const QRect room = screen()->availableGeometry();
  at.setX(std::max(room.left(), std::min(at.x(), room.right() - popup_->width())));
  at.setY(std::max(room.top(), std::min(at.y(), room.bottom() - popup_->height())));
  popup_->move(at);
  popup_->show();
  controls_[1].widget->setFocus(Qt::PopupFocusReason);
}

void SearchLimits::show(const RunSettings& settings) {
  options_.strategies = strategies_of(settings.options.schedule_kinds).value_or(options_.strategies);
  options_.pruning = settings.options.search.pruning;
  for (const OptionControl& control : controls_) control.show();
  describe();
}

void SearchLimits::putInto(RunSettings& settings) const {
  settings.options.schedule_kinds = schedule_kinds_within(options_.strategies);
  settings.options.search.pruning = options_.pruning;
}

void SearchLimits::describe() {
  const auto limit = [](std::size_t number) { return number == 0 ? QStringLiteral("∞") : QString::number(number); };
  const QString word = core_words(row_of(options_.strategies).strategy_word);
  const QString strategy = word.left(1).toUpper() + word.mid(1);
  const QString r = limit(options_.pruning.r);
  const QString s = limit(options_.pruning.s);
  setText(QStringLiteral("%1 · r %2 · s %3 ▾").arg(strategy, r, s));
  setAccessibleName(tr("Settings of the search: %1, r %2, s %3").arg(strategy, r, s));
  setToolTip(tr("Settings of the search: strategy, units per group (r), groups per stage (s)"));
  sketch_->update();
}

}  // namespace iosx

#include "moc_search_limits.cpp"
