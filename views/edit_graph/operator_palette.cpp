#include "views/edit_graph/operator_palette.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <QVBoxLayout>
#include <array>
#include <utility>

#include "core/formats/wire/graph_wire.h"
#include "core/model/graph/operator_table.h"
#include "views/edit_graph/edit_canvas.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"

namespace iosx {

namespace editor {

constexpr int kKindRole = Qt::UserRole;  // of Attributes; none of a heading or template
constexpr int kTemplateRole = Qt::UserRole + 1;

class PaletteTree final : public QTreeWidget {
 public:
  explicit PaletteTree(const std::vector<Template>& templates) : templates_(templates) {}

 protected:
  QMimeData* mimeData(const QList<QTreeWidgetItem*>& items) const override {
    if (items.isEmpty()) return nullptr;
    const QTreeWidgetItem* const item = items.front();
    auto* data = new QMimeData;
    if (item->data(0, kKindRole).isValid()) {
      data->setData(QLatin1String(kKindMimeType), item->data(0, kKindRole).toByteArray());
    } else if (item->data(0, kTemplateRole).isValid()) {
      const auto& fragment = templates_.at(item->data(0, kTemplateRole).toULongLong()).fragment;
      data->setData(QLatin1String(kFragmentMimeType), QByteArray::fromStdString(fragment_to_text(fragment)));
    }
    return data;
  }

 private:
  const std::vector<Template>& templates_;
};

}  // namespace editor

namespace {

// Returns the class for the list: all convolutions are together, whatever their kernels.
OperatorClass listed_as(OperatorClass what) {
  return what <= OperatorClass::kTransposedConv ? OperatorClass::kConvOther : what;
}

QString group_title(OperatorClass what) {
  switch (what) {
    case OperatorClass::kPool: return OperatorPalette::tr("Pooling and reduction");
    case OperatorClass::kLinear: return OperatorPalette::tr("Linear and recurrent");
    case OperatorClass::kConcat: return OperatorPalette::tr("Moving data");
    case OperatorClass::kArithmetic: return OperatorPalette::tr("Arithmetic");
    case OperatorClass::kActivation: return OperatorPalette::tr("Activation");
    case OperatorClass::kInput: return OperatorPalette::tr("Inputs");
    case OperatorClass::kOpaque: return OperatorPalette::tr("Not executable");
    default: return OperatorPalette::tr("Convolution");
  }
}

constexpr std::array kOrder{OperatorClass::kInput,      OperatorClass::kConvOther, OperatorClass::kPool,
                            OperatorClass::kLinear,     OperatorClass::kConcat,    OperatorClass::kArithmetic,
                            OperatorClass::kActivation, OperatorClass::kOpaque};

}  // namespace

OperatorPalette::OperatorPalette(QWidget* parent)
    : QWidget(parent),
      search_(named("palette-search", new QLineEdit)),
      tree_(named("palette-tree", new editor::PaletteTree(templates_), tr("Operators and templates"))) {
  put_into(flush(new QVBoxLayout(this), 0), {search_, {tree_, 1}});
  search_->setPlaceholderText(tr("Find an operator or template"));
  search_->setAccessibleName(search_->placeholderText());
  search_->setClearButtonEnabled(true);
  search_->installEventFilter(this);
  tree_->setHeaderHidden(true);
  tree_->setRootIsDecorated(false);
  tree_->setIndentation(12);
  tree_->setDragEnabled(true);
  tree_->setDragDropMode(QAbstractItemView::DragOnly);
  tree_->setUniformRowHeights(true);
  tree_->setFrameShape(QFrame::NoFrame);
  connect(search_, &QLineEdit::textChanged, this, &OperatorPalette::filter);
  connect(tree_, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) { choose(item); });
  fill();
}

void OperatorPalette::setTemplates(std::vector<Template> built_in, std::vector<Template> own) {
  built_in_ = built_in.size();
  templates_ = std::move(built_in);
  for (Template& each : own) templates_.push_back(std::move(each));
  fill();
}

void OperatorPalette::fill() {
  tree_->clear();
  const auto heading = [this](const QString& title) {
    auto* item = new QTreeWidgetItem(tree_, {title});
    item->setFlags(Qt::ItemIsEnabled);
    QFont bold = tree_->font();
    bold.setWeight(QFont::Bold);
    item->setFont(0, bold);
    item->setExpanded(true);
    return item;
  };
  const auto add_templates = [&](const QString& title, std::size_t first, std::size_t last) {
    if (first == last) return;
    QTreeWidgetItem* const group = heading(title);
    for (std::size_t t = first; t < last; ++t) {
      auto* item = new QTreeWidgetItem(group, {templates_[t].title});
      item->setToolTip(0, templates_[t].tip.toHtmlEscaped());
      item->setData(0, editor::kTemplateRole, static_cast<qulonglong>(t));
    }
  };
  add_templates(tr("My templates"), built_in_, templates_.size());
  for (const OperatorClass what : kOrder) {
    QTreeWidgetItem* const group = heading(group_title(what));
    for (const OperatorRow& row : operator_table::kRows) {
      if (listed_as(row.drawn) != what) continue;
      auto* item = new QTreeWidgetItem(group, {qstring(row.name)});
      item->setData(0, editor::kKindRole, QByteArray::number(static_cast<qulonglong>(row.kind)));
    }
  }
  add_templates(tr("Templates"), 0, built_in_);
  filter(search_->text());
}

void OperatorPalette::filter(const QString& text) {
  const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  QTreeWidgetItem* first = nullptr;
  for (int g = 0; g < tree_->topLevelItemCount(); ++g) {
    QTreeWidgetItem* const group = tree_->topLevelItem(g);
    bool any = false;
    for (int i = 0; i < group->childCount(); ++i) {
      QTreeWidgetItem* const item = group->child(i);
      const QString all = group->text(0) + QLatin1Char(' ') + item->text(0);
      const bool fits =
          std::ranges::all_of(words, [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
      item->setHidden(!fits);
      any = any || fits;
      // One that is called so comes before those that have it in their name.
      const bool exact = item->text(0).compare(text.trimmed(), Qt::CaseInsensitive) == 0;
      if (fits && (first == nullptr || exact)) first = item;
    }
    group->setHidden(!any);
    group->setExpanded(true);
  }
  tree_->setCurrentItem(words.isEmpty() ? nullptr : first);
}

void OperatorPalette::focusSearch() {
  search_->setFocus(Qt::ShortcutFocusReason);
  search_->selectAll();
}

void OperatorPalette::choose(QTreeWidgetItem* item) {
  if (item == nullptr) return;
  if (item->data(0, editor::kKindRole).isValid()) {
    emit kindChosen(item->data(0, editor::kKindRole).toULongLong());
  } else if (item->data(0, editor::kTemplateRole).isValid()) {
    emit templateChosen(templates_.at(item->data(0, editor::kTemplateRole).toULongLong()).fragment);
  }
}

void OperatorPalette::step(int by) {
  QTreeWidgetItem* item = tree_->currentItem();
  do {
    item = item == nullptr ? tree_->topLevelItem(0) : by > 0 ? tree_->itemBelow(item) : tree_->itemAbove(item);
  } while (item != nullptr && item->childCount() > 0);
  if (item != nullptr) tree_->setCurrentItem(item);
}

bool OperatorPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched != search_ || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down: step(1); return true;
    case Qt::Key_Up: step(-1); return true;
    case Qt::Key_Return:
    case Qt::Key_Enter: choose(tree_->currentItem()); return true;
    case Qt::Key_Escape:
      search_->clear();
      emit left();
      return true;
    default: return QWidget::eventFilter(watched, event);
  }
}

}  // namespace iosx

#include "moc_operator_palette.cpp"
