#include "views/explore/timeline/range_panel.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "views/style/style.h"
#include "views/text/latency_text.h"

namespace iosx {
namespace {

constexpr int kMostColumn = 190;
constexpr int kMostWidth = 620;
constexpr int kRowHeight = 20;

QToolButton* head_button(const QString& text, const QString& what, QWidget* parent) {
  auto* made = new QToolButton(parent);
  made->setText(text);
  made->setToolTip(what);
  made->setAccessibleName(what);
  made->setAutoRaise(true);
  made->setFocusPolicy(Qt::TabFocus);
  return made;
}

}  // namespace

RangePanel::RangePanel(QWidget* parent) : QFrame(parent), title_(new QLabel(this)), cells_(new QTableWidget(this)) {
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  setAccessibleName(tr("Statistics of the measured time"));
  setCursor(Qt::ArrowCursor);
  title_->setTextFormat(Qt::PlainText);
  cells_->setAccessibleName(accessibleName());
  cells_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  cells_->setSelectionBehavior(QAbstractItemView::SelectRows);
  cells_->setShowGrid(false);
  cells_->setFrameShape(QFrame::NoFrame);
  cells_->setWordWrap(false);
  cells_->verticalHeader()->hide();
  cells_->verticalHeader()->setDefaultSectionSize(kRowHeight);
  cells_->verticalHeader()->setMinimumSectionSize(kRowHeight);
  cells_->horizontalHeader()->setHighlightSections(false);
  cells_->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
  auto* copy = head_button(tr("Copy"), tr("Copy the statistics as tab-separated text (Ctrl+C)"), this);
  auto* save = head_button(tr("Export\u2026"), tr("Write the statistics to a file: CSV, or a picture"), this);
  auto* close = head_button(QString::fromUtf8("\u2715"), tr("Clear the range (Esc)"), this);
  connect(copy, &QToolButton::clicked, this, &RangePanel::copy);
  connect(save, &QToolButton::clicked, this, &RangePanel::exportWanted);
  connect(close, &QToolButton::clicked, this, &RangePanel::closed);
  auto* head = new QHBoxLayout;
  head->setSpacing(2);
  head->addWidget(title_, 1);
  for (QToolButton* each : {copy, save, close}) head->addWidget(each);
  auto* box = new QVBoxLayout(this);
  box->setContentsMargins(6, 3, 3, 3);
  box->setSpacing(2);
  box->addLayout(head);
  box->addWidget(cells_);
  hide();
  follow_theme(this, [this](const Theme& theme) { setTheme(theme); });
}

void RangePanel::setTheme(const Theme& theme) {
  QPalette colors = palette();
  for (const auto role : {QPalette::Window, QPalette::Base, QPalette::Button}) colors.setColor(role, theme.panel);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    colors.setColor(role, theme.text);
  colors.setColor(QPalette::Highlight, theme.selectionFill);
  colors.setColor(QPalette::HighlightedText, theme.text);
  setPalette(colors);
}

void RangePanel::show(StatisticsTable table) {
  table_ = std::move(table);
  const QStringList header = table_.header();
  const std::vector<QStringList> rows = table_.rows();
  const TimeRange shown = table_.shown();
  title_->setText(tr("%1 to %2").arg(duration_text(shown.begin), duration_text(shown.end)));
  cells_->setColumnCount(static_cast<int>(header.size()));
  cells_->setRowCount(static_cast<int>(rows.size()));
  cells_->setHorizontalHeaderLabels(header);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (qsizetype k = 0; k < rows[i].size(); ++k) {
      auto* cell = new QTableWidgetItem(rows[i][k]);
      if (k > 0) cell->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      cells_->setItem(static_cast<int>(i), static_cast<int>(k), cell);
    }
  }
  cells_->resizeColumnsToContents();
  int width = 4;
  for (int k = 0; k < cells_->columnCount(); ++k) {
    cells_->setColumnWidth(k, std::min(cells_->columnWidth(k) + 6, kMostColumn));
    width += cells_->columnWidth(k);
  }
  const int table_height = kRowHeight * cells_->rowCount() + cells_->horizontalHeader()->sizeHint().height() + 4;
  const int head = title_->sizeHint().height() + 14;
  const QSize room = parentWidget()->size() - QSize(40, 40);
  // A scroll bar of its own where there is not room for all of it.
  const int height = std::min(table_height + head, room.height());
  if (table_height + head > height) width += 18;
  resize(std::min({width + 14, kMostWidth, room.width()}), std::max(height, 60));
  QFrame::show();
  raise();
}

void RangePanel::copy() const { QGuiApplication::clipboard()->setText(table_.tab_separated()); }

void RangePanel::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return copy();
  if (event->key() == Qt::Key_Escape) {
    emit closed();
    return;
  }
  QFrame::keyPressEvent(event);
}

}  // namespace iosx

#include "moc_range_panel.cpp"
