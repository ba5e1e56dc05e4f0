#include "views/window/panels/search_limits.h"

#include <QAction>
#include <QComboBox>
#include <QFrame>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QSpinBox>
#include <algorithm>
#include <utility>

#include "core/model/graph/partition.h"
#include "core/search/search.h"
#include "views/style/style.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

constexpr auto kMaxPruning = static_cast<int>(kMaxPartUnits);  // more is unlimited
constexpr int kWordsWidth = 330;

QSpinBox* pruning_box(const QString& name, const char* id) {
  auto* box = new QSpinBox;
  box->setRange(0, kMaxPruning);
  box->setSpecialValueText(QStringLiteral("∞"));
  box->setAccessibleName(name);
  box->setObjectName(QString::fromLatin1(id));
  return box;
}

QLabel* limit_words(const QString& text) {
  auto* label = new QLabel(text);
  label->setWordWrap(true);
  label->setFixedWidth(kWordsWidth);
  return label;
}

// Draws a stage with the maximum groups and units; where these do not fit, some and dots.
class StageSketch final : public QWidget {
 public:
  StageSketch(const QSpinBox& r, const QSpinBox& s) : r_(r), s_(s) {
    setFixedHeight(static_cast<int>(2 * kAbove + kRow * kMostRows + 10));
    setAccessibleName(QCoreApplication::translate("iosx::SearchLimits", "A stage of the largest size"));
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Theme theme = theme_of(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.stageBand(0));
    painter.drawRect(rect());
    const auto shown = [](int value, int most) { return value == 0 || value > most ? most : value; };
    const int columns = shown(s_.value(), kMostColumns);
    const int rows = shown(r_.value(), kMostRows);
    const bool more_columns = columns != s_.value();
    const bool more_rows = rows != r_.value();
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

  const QSpinBox& r_;
  const QSpinBox& s_;
};

}  // namespace

SearchLimits::SearchLimits(QAction& timing, QWidget* parent)
    : QToolButton(parent),
      strategy_(new QComboBox),
      r_(pruning_box(tr("Largest group, in units"), "r")),
      s_(pruning_box(tr("Most groups in a stage"), "s")),
      sketch_(new StageSketch(*r_, *s_)),
      popup_(build(timing)) {
  setObjectName(QStringLiteral("search-limits"));
  setFocusPolicy(Qt::StrongFocus);
  connect(this, &QToolButton::clicked, this, &SearchLimits::open);
  const auto edited = [this] {
    describe();
    if (!showing_) emit changed();
  };
  connect(strategy_, &QComboBox::currentIndexChanged, this, edited);
  connect(r_, &QSpinBox::valueChanged, this, edited);
  connect(s_, &QSpinBox::valueChanged, this, edited);
  describe();
}

QFrame* SearchLimits::build(QAction& timing) {
  auto* popup = new QFrame(this, Qt::Popup);
  popup->setObjectName(QStringLiteral("search-limits-popup"));
  popup->setFrameShape(QFrame::StyledPanel);
  auto* grid = new QGridLayout(popup);
  grid->setContentsMargins(16, 14, 16, 14);
  grid->setHorizontalSpacing(12);
  grid->setVerticalSpacing(10);
  auto add = [grid, row = 0](const QString& name, QWidget* box, const QString& help) mutable {
    auto* caption = new QLabel(name);
    caption->setBuddy(box);
    grid->addWidget(caption, row, 0, Qt::AlignLeft | Qt::AlignTop);
    grid->addWidget(box, row, 1, Qt::AlignTop);
    grid->addWidget(limit_words(help), row++, 2);
  };
  strategy_->setAccessibleName(tr("Strategy"));
  strategy_->setObjectName(QStringLiteral("strategy"));
  for (const StrategySet strategies : kStrategySets) {
    const QString word = qstring(row_of(strategies).strategy_word);
    const QString title = core_words(row_of(strategies).strategy_word);
    strategy_->addItem(title.left(1).toUpper() + title.mid(1), word);
  }
  add(tr("Strategy"), strategy_,
      tr("What a stage may do: run groups side by side (parallel), merge layers into one (merge), or the better of the "
         "two for each stage (both, which searches each of the three ways)."));
  add(tr("r"), r_, tr("So many units at most are in one group. A group runs on one stream, one unit after another."));
  add(tr("s"), s_, tr("So many groups at most are in one stage. They run side by side, each on a stream of its own."));
  sketch_->setParent(popup);
  grid->addWidget(sketch_, 3, 0, 1, 3);
  grid->addWidget(
      new QLabel(tr("Larger limits may find a faster schedule and take longer to search; ∞ tries everything.")), 4, 0,
      1, 3);
  auto* foot = new QHBoxLayout;
  auto* usual = new QPushButton(tr("Usual values"));
  usual->setObjectName(QStringLiteral("search-limits-usual"));
  connect(usual, &QPushButton::clicked, this, [this] {
    RunSettings settings;
    settings.schedule_kinds = schedule_kinds_within(StrategySet::kBoth);
    show(settings);
    emit changed();
  });
  auto* measuring = new QPushButton(tr("Timing…"));
  measuring->setObjectName(QStringLiteral("timing"));
  measuring->setToolTip(timing.statusTip());
  measuring->setAccessibleName(tr("Measuring"));
  connect(measuring, &QPushButton::clicked, this, [popup, &timing] {
    popup->hide();
    timing.trigger();
  });
  timing_ = measuring;
  foot->addWidget(usual);
  foot->addStretch();
  foot->addWidget(measuring);
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
  r_->setFocus(Qt::PopupFocusReason);
}

void SearchLimits::show(const RunSettings& settings) {
  showing_ = true;
  if (const auto strategies = strategies_of(settings.schedule_kinds)) {
    strategy_->setCurrentIndex(strategy_->findData(qstring(row_of(*strategies).strategy_word)));
  }
  r_->setValue(static_cast<int>(settings.search.pruning.r));
  s_->setValue(static_cast<int>(settings.search.pruning.s));
  showing_ = false;
}

void SearchLimits::putInto(RunSettings& settings) const {
  const auto strategies = parse_strategies(strategy_->currentData().toString().toStdString());
  settings.schedule_kinds = schedule_kinds_within(strategies.value_or(StrategySet::kBoth));
  settings.search.pruning = {static_cast<std::size_t>(r_->value()), static_cast<std::size_t>(s_->value())};
}

void SearchLimits::setMeasuring(bool measuring) { timing_->setVisible(measuring); }

void SearchLimits::describe() {
  setText(QStringLiteral("%1 · r %2 · s %3 ▾").arg(strategy_->currentText(), r_->text(), s_->text()));
  setAccessibleName(tr("What a search may do: %1, r %2, s %3").arg(strategy_->currentText(), r_->text(), s_->text()));
  setToolTip(tr("What a search may do: strategy, units in a group (r), groups in a stage (s)"));
  sketch_->update();
}

}  // namespace iosx

#include "moc_search_limits.cpp"
