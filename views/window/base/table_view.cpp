#include "views/window/base/table_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMetaMethod>
#include <QPainter>
#include <QTextLayout>
#include <algorithm>
#include <cmath>

#include "views/figures/paint.h"
#include "views/style/fills.h"
#include "views/style/theme.h"
#include "views/tables/cell_roles.h"
#include "views/tables/copied_text.h"
#include "views/tables/table_model.h"

namespace iosx {
namespace {

constexpr int kCellPadding = 6;  // left and right of a text
constexpr int kAbove = 4;        // above and below a text
constexpr int kChipInside = 5;   // left and right of a chip's text
constexpr int kChipGap = 4;
constexpr int kLeastChip = 34;
constexpr int kGlyphSize = 14;
constexpr int kBarsShare = 55;  // percent of a row's width that its longest bar takes
constexpr float kBarStrength = 0.35F;

void draw_background(QPainter& painter, const QStyleOptionViewItem& option) {
  QStyleOptionViewItem empty = option;
  empty.text.clear();
  empty.icon = {};
  empty.features &= ~QStyleOptionViewItem::HasDecoration;
  const QWidget* widget = option.widget;
  (widget != nullptr ? widget->style() : QApplication::style())
      ->drawControl(QStyle::CE_ItemViewItem, &empty, &painter, widget);
}

bool is_chosen(const QStyleOptionViewItem& option) { return option.state.testFlag(QStyle::State_Selected); }

QColor text_color(const QStyleOptionViewItem& option) {
  return option.palette.color(is_chosen(option) ? QPalette::HighlightedText : QPalette::Text);
}

void draw_bar(QPainter& painter, const QRect& cell, double share, const Theme& theme) {
  const QColor color = with_alpha(theme.mutedText, kBarStrength);
  const double width = std::max(1.0, (cell.width() - 2) * std::clamp(share, 0.0, 1.0));
  painter.fillRect(QRectF(cell.left() + 1, cell.top() + 3, width, cell.height() - 6), color);
}

// From the middle; a loss is hatched, too.
void draw_gain(QPainter& painter, const QRect& cell, double saved, const Theme& theme) {
  QColor color = gain_color(saved >= 0, theme);
  const double middle = cell.left() + cell.width() / 2.0;
  const double end = middle + std::clamp(saved, -1.0, 1.0) * (cell.width() / 2.0 - 2);
  const QRectF bar(QPointF(std::min(middle, end), cell.top() + 3), QPointF(std::max(middle, end), cell.bottom() - 2));
  color.setAlphaF(kBarStrength);
  painter.fillRect(bar, color);
  painter.setPen(QPen(gain_color(false, theme), 1));
  if (saved < 0) {
    for (const QLineF& line : hatch_lines(bar, Hatch::kRising, 5)) painter.drawLine(line);
  }
  painter.setPen(QPen(theme.outline, 1));
  painter.drawLine(QPointF(middle, cell.top() + 2), QPointF(middle, cell.bottom() - 1));
}

// Draws one stroke for one group, two parallel ones for concurrent groups, two boxes in one for a merge.
void draw_glyph(QPainter& painter, const QRectF& box, cell::Glyph glyph, const QColor& color) {
  painter.setPen(QPen(color, 1.5));
  painter.setBrush(Qt::NoBrush);
  const double middle = box.center().y();
  const double top = box.top() + 2;
  const double bottom = box.bottom() - 2;
  switch (glyph) {
    case cell::Glyph::kOne: painter.drawLine(QPointF(box.center().x(), top), QPointF(box.center().x(), bottom)); return;
    case cell::Glyph::kConcurrent:
      for (const double x : {box.left() + 3, box.right() - 3}) painter.drawLine(QPointF(x, top), QPointF(x, bottom));
      return;
    case cell::Glyph::kMerge:
      painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 2, 2);
      painter.drawLine(QPointF(box.left() + 1, middle), QPointF(box.right() - 1, middle));
      return;
  }
}

double chip_width(const QFontMetrics& metrics, const QString& text) {
  return metrics.horizontalAdvance(text) + 2 * kChipInside;
}

// Returns enough of both ends to elide from, however long the text is.
QString ends_of(const QString& text) {
  constexpr qsizetype kEnd = 120;
  return text.size() <= 2 * kEnd ? text : text.left(kEnd) + QStringLiteral("…") + text.right(kEnd);
}

// Draws as many as there is room for; what is left over is a number at the end.
void draw_chips(QPainter& painter, const QRect& cell, const QStringList& chips, const QString& prefix,
                const QFont& font, const QColor& text, const Theme& theme) {
  const QFontMetrics metrics(font);
  double x = cell.left();
  const double end = cell.right();
  painter.setFont(font);
  if (!prefix.isEmpty() && prefix.size() < 100 && metrics.horizontalAdvance(prefix) < cell.width() / 2) {
    paint_text(painter, theme.mutedText, QRectF(x, cell.top(), end - x, cell.height()), kAtLeft, prefix);
    x += metrics.horizontalAdvance(prefix) + kChipGap;
  }
  for (qsizetype i = 0; i < chips.size(); ++i) {
    const qsizetype left = chips.size() - i - 1;
    const double more = left == 0 ? 0 : chip_width(metrics, QStringLiteral("+%1").arg(left)) + kChipGap;
    const double room = end - x - more;
    const QString chip = ends_of(chips[i]);
    const double wanted = chip_width(metrics, chip);
    if (wanted > room && room < kLeastChip) {
      paint_text(painter, theme.mutedText, QRectF(x, cell.top(), end - x, cell.height()), kAtLeft,
                 QStringLiteral("+%1").arg(left + 1));
      return;
    }
    // Neighbours share what there is where not all can be read in full.
    const double width = std::min(wanted, std::max<double>(kLeastChip, room / (left > 0 && wanted > room / 2 ? 2 : 1)));
    const QRectF frame(x + 0.5, cell.top() + 3.5, std::floor(width) - 1, cell.height() - 7);
    paint_box(painter, QPen(theme.outline, 1), theme.panel, frame, 4);
    paint_text(painter, text, frame.adjusted(kChipInside - 1, 0, 1 - kChipInside, 0), kAtLeft,
               metrics.elidedText(chip, Qt::ElideMiddle, static_cast<int>(width) - 2 * kChipInside + 1));
    x += std::floor(width) + kChipGap;
  }
}

void lay_out(QTextLayout& layout, int width) {
  QTextOption option;
  option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
  layout.setTextOption(option);
  layout.beginLayout();
  double y = 0;
  while (true) {
    QTextLine line = layout.createLine();
    if (!line.isValid()) break;
    line.setLineWidth(width);
    line.setPosition(QPointF(0, y));
    y += line.height();
  }
  layout.endLayout();
}

// Line breaks of the text are line breaks.
QString with_breaks(QString text) { return text.replace(QLatin1Char('\n'), QChar::LineSeparator); }

constexpr int kLeastStretched = 52;   // pixels
constexpr int kRoomyStretched = 180;  // to have that much, optional columns go
constexpr int kAroundLine = 10;       // pixels above and below a row's text together

}  // namespace

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& given, const QModelIndex& index) const {
  const QVariant bar = index.data(cell::kBar);
  const QVariant gain = index.data(cell::kGain);
  const QVariant chips = index.data(cell::kChips);
  const QVariant glyph = index.data(cell::kGlyph);
  if (!bar.isValid() && !gain.isValid() && !chips.isValid() && !glyph.isValid())
    return QStyledItemDelegate::paint(painter, given, index);
  QStyleOptionViewItem option = given;
  initStyleOption(&option, index);
  const Theme theme = theme_of(option.palette);
  const QColor text = text_color(option);
  const QRect inside = option.rect.adjusted(kCellPadding, 0, -kCellPadding, 0);
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  draw_background(*painter, option);
  painter->setClipRect(option.rect);
  painter->setFont(option.font);
  if (bar.isValid() || gain.isValid()) {
    if (bar.isValid()) {
      draw_bar(*painter, option.rect, bar.toDouble(), theme);
    } else {
      draw_gain(*painter, option.rect, gain.toDouble(), theme);
    }
    paint_text(*painter, text, inside, static_cast<int>(option.displayAlignment) | Qt::TextSingleLine, option.text);
  } else if (chips.isValid()) {
    draw_chips(*painter, inside, chips.toStringList(), index.data(cell::kPrefix).toString(), option.font, text, theme);
  } else {
    const QRectF box(inside.left(), option.rect.center().y() + 0.5 - kGlyphSize / 2.0, kGlyphSize, kGlyphSize);
    draw_glyph(*painter, box, static_cast<cell::Glyph>(glyph.toInt()), text);
    const QRect word = inside.adjusted(kGlyphSize + kCellPadding, 0, 0, 0);
    painter->setPen(text);
    const QFontMetrics metrics(option.font);
    // A glyph and three letters of its name would say less than the glyph.
    if (metrics.horizontalAdvance(option.text) <= word.width()) {
      painter->drawText(word, kAtLeft | Qt::TextSingleLine, option.text);
    }
  }
  painter->restore();
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  // Names may have any length, which does not matter where they are cut off.
  if (index.data(cell::kChips).isValid()) return {kLeastChip, option.fontMetrics.height() + 2 * kAbove};
  QSize size = QStyledItemDelegate::sizeHint(option, index);
  if (index.data(cell::kGlyph).isValid()) size.rwidth() += kGlyphSize + kCellPadding;
  return size;
}

int WrapDelegate::heightFor(const QString& text, const QFont& font, int width) {
  QTextLayout layout(with_breaks(text), font);
  lay_out(layout, std::max(1, width - 2 * kCellPadding));
  return static_cast<int>(std::ceil(layout.boundingRect().height())) + 2 * kAbove;
}

// Draws a text, elided in the middle, and below it a bar of what it costs with the figure. What is better than what
// there is has the colour of what is saved, and a bold figure.
void WrapDelegate::paintCost(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) {
  const Theme theme = theme_of(option.palette);
  const double cost = index.data(cell::kCost).toDouble();
  const QString figure = index.data(cell::kFigure).toString();
  const QRect inside = option.rect.adjusted(kCellPadding, 0, -kCellPadding, 0);
  QFont font = option.font;
  font.setBold(cost < 0);
  const int line = inside.height() / 2;
  const QRect words(inside.left(), inside.top() + 1, inside.width(), line);
  const QRect place(inside.left(), inside.top() + line - 1, inside.width(), line);
  const int room = std::max(0, place.width() * kBarsShare / 100);
  QColor color = cost < 0 ? gain_color(true, theme) : theme.outline;
  if (!is_chosen(option)) color.setAlphaF(cost < 0 ? 0.7F : 1);
  const double width = std::max(cost == 0 ? 0.0 : 2.0, room * std::abs(cost));
  painter.fillRect(QRectF(place.left(), place.center().y() - 4, width, 9), color);
  paint_text(painter, option.font, text_color(option), words, kAtLeft | Qt::TextSingleLine,
             option.fontMetrics.elidedText(ends_of(option.text), Qt::ElideMiddle, words.width()));
  painter.setFont(font);
  // Beside its bar: the eye need not look for it.
  const int left = static_cast<int>(width) + (width > 0 ? kCellPadding : 0);
  painter.drawText(place.adjusted(left, 0, 0, 0), kAtLeft | Qt::TextSingleLine, figure);
}

void WrapDelegate::paint(QPainter* painter, const QStyleOptionViewItem& given, const QModelIndex& index) const {
  QStyleOptionViewItem option = given;
  initStyleOption(&option, index);
  if (index.data(cell::kFigure).isValid()) {
    painter->save();
    draw_background(*painter, option);
    painter->setClipRect(option.rect);
    paintCost(*painter, option, index);
    painter->restore();
    return;
  }
  QTextLayout layout(with_breaks(option.text), option.font);
  lay_out(layout, std::max(1, option.rect.width() - 2 * kCellPadding));
  painter->save();
  draw_background(*painter, option);
  painter->setPen(text_color(option));
  layout.draw(painter, QPointF(option.rect.left() + kCellPadding, option.rect.top() + kAbove));
  painter->restore();
}

TableView::TableView(const QString& accessible_name, int stretched, QWidget* parent)
    : QTableView(parent), stretched_(stretched) {
  setAccessibleName(accessible_name);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setSelectionMode(QAbstractItemView::ExtendedSelection);
  setEditTriggers(QAbstractItemView::NoEditTriggers);
  setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  setAlternatingRowColors(true);
  setShowGrid(false);
  setWordWrap(false);
  setTabKeyNavigation(false);
  verticalHeader()->hide();
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  setItemDelegate(new CellDelegate(this));
  setRowHeightOfFont();
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setResizeContentsPrecision(100);
  // A row that the program has selected can be chosen too: nothing changes in the table then, but elsewhere.
  connect(this, &QTableView::clicked, this, &TableView::tellRows);
}

void TableView::copy() const {
  const QModelIndexList cells = selectionModel() ? selectionModel()->selectedIndexes() : QModelIndexList();
  if (!cells.isEmpty()) QApplication::clipboard()->setText(tsv(*model(), cells));
}

void TableView::copyAsCsv() const {
  const QModelIndexList cells = selectionModel() ? selectionModel()->selectedIndexes() : QModelIndexList();
  if (!cells.isEmpty()) QApplication::clipboard()->setText(csv(*model(), cells));
}

void TableView::setRowHeightOfFont() { verticalHeader()->setDefaultSectionSize(fontMetrics().height() + kAroundLine); }

bool TableView::event(QEvent* event) {
  if (event->type() == QEvent::FontChange) {
    setRowHeightOfFont();
    stretch();
  }
  return QTableView::event(event);
}

void TableView::setWrapping() {
  wrap_ = true;
  setItemDelegate(new WrapDelegate(this));
}

void TableView::selectRows(const std::vector<int>& rows) {
  QItemSelection selection;
  const int last = model()->columnCount() - 1;
  for (const int row : rows) selection.select(model()->index(row, 0), model()->index(row, last));
  selecting_ = true;
  selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
  if (!rows.empty()) {
    selectionModel()->setCurrentIndex(model()->index(rows.front(), 0), QItemSelectionModel::NoUpdate);
    scrollTo(model()->index(rows.front(), 0));
  }
  selecting_ = false;
}

void TableView::selectionChanged(const QItemSelection& selected, const QItemSelection& deselected) {
  QTableView::selectionChanged(selected, deselected);
  if (!selecting_) tellRows();
}

void TableView::tellRows() {
  std::vector<int> rows;
  for (const QModelIndex& index : selectionModel()->selectedRows()) rows.push_back(index.row());
  std::sort(rows.begin(), rows.end());
  emit rowsChosen(rows);
}

void TableView::fitColumns(int widest) {
  horizontalHeader()->ensurePolished();  // before it is shown, its cells would lack the style's margins
  for (const int column : optional_) setColumnHidden(column, false);
  resizeColumnsToContents();
  for (int column = 0; column < model()->columnCount(); ++column) {
    if (!isColumnHidden(column)) setColumnWidth(column, std::min(columnWidth(column), widest));
  }
  stretch();
}

void TableView::setOptionalColumns(std::vector<int> columns) { optional_ = std::move(columns); }

// A hidden column has no width, but the header remembers the one it had.
void TableView::dropColumns() {
  for (const int column : optional_) setColumnHidden(column, false);
  int needed = 0;
  for (int column = 0; column < model()->columnCount(); ++column) {
    needed += column == stretched_ ? kRoomyStretched : columnWidth(column);
  }
  for (const int column : optional_) {
    if (needed <= viewport()->width()) return;
    needed -= columnWidth(column);
    setColumnHidden(column, true);
  }
}

void TableView::stretch() {
  if (model() == nullptr) return;
  dropColumns();
  if (stretched_ < 0) return;
  int others = 0;
  for (int column = 0; column < model()->columnCount(); ++column) {
    if (column != stretched_) others += columnWidth(column);
  }
  setColumnWidth(stretched_, std::max(kLeastStretched, viewport()->width() - others));
  if (wrap_) wrapRows();
}

void TableView::wrapRows() {
  const int usual = verticalHeader()->defaultSectionSize();
  const int columns = model()->columnCount();
  for (int row = 0; row < model()->rowCount(); ++row) {
    int height = usual;
    for (int column = 0; column < columns; ++column) {
      const int span = columnSpan(row, column);
      int width = 0;
      for (int within = column; within < column + span; ++within) width += columnWidth(within);
      const QModelIndex index = model()->index(row, column);
      const auto bold = index.data(Qt::FontRole);
      const QFont font = bold.isValid() ? bold.value<QFont>().resolve(this->font()) : this->font();
      // A cell with a bar has two lines, whatever its text.
      const bool bar = index.data(cell::kFigure).isValid();
      const QString text = bar ? QStringLiteral("x\nx") : index.data().toString();
      height = std::max(height, WrapDelegate::heightFor(text, font, width));
      column += span - 1;
    }
    if (rowHeight(row) != height) setRowHeight(row, height);
  }
}

void TableView::resizeEvent(QResizeEvent* event) {
  QTableView::resizeEvent(event);
  stretch();
}

void TableView::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy)) return copy();
  // Where no line filters the rows, other receivers may find something.
  static const QMetaMethod find = QMetaMethod::fromSignal(&TableView::findAsked);
  if (event->matches(QKeySequence::Find) && isSignalConnected(find)) return emit findAsked();
  QTableView::keyPressEvent(event);
}

void TableView::fillMenu(QMenu& menu) {
  const bool any = selectionModel() != nullptr && selectionModel()->hasSelection();
  menu.addAction(tr("&Copy as tab-separated text"), this, &TableView::copy)->setEnabled(any);
  menu.addAction(tr("Copy as CS&V"), this, &TableView::copyAsCsv)->setEnabled(any);
  menu.addAction(tr("Select &all"), this, &TableView::selectAll)
      ->setEnabled(selectionMode() == QAbstractItemView::ExtendedSelection && model()->rowCount() > 0);
  if (!further_) return;
  menu.addSeparator();
  further_(menu);
}

void TableView::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  fillMenu(menu);
  menu.exec(event->globalPos());
}

WordFilter* sorted(QAbstractItemModel* model, QObject* parent) {
  auto* proxy = new WordFilter(parent);
  proxy->setSourceModel(model);
  return proxy;
}

QLineEdit* filter_line(WordFilter* proxy, TableView* table, const QString& what) {
  auto* line = new QLineEdit;
  line->setPlaceholderText(what);
  line->setAccessibleName(what);
  line->setClearButtonEnabled(true);
  QObject::connect(line, &QLineEdit::textChanged, proxy, &WordFilter::setWords);
  QObject::connect(table, &TableView::findAsked, line, [line] {
    line->setFocus(Qt::ShortcutFocusReason);
    line->selectAll();
  });
  auto* leave = new QAction(line);
  leave->setShortcut(Qt::Key_Escape);
  leave->setShortcutContext(Qt::WidgetShortcut);
  line->addAction(leave);
  QObject::connect(leave, &QAction::triggered, line, [line, table] {
    line->clear();
    table->setFocus();
  });
  return line;
}

}  // namespace iosx

#include "moc_table_view.cpp"
