#include "views/edit_graph/attribute_form.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleValidator>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScopedValueRollback>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "core/model/edit/connect.h"
#include "core/model/edit/operator_attributes.h"
#include "core/model/edit/operators.h"
#include "core/model/edit/units.h"
#include "core/model/graph/operator_table.h"
#include "views/edit_graph/graph_controller.h"
#include "views/style/theme.h"
#include "views/text/format.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"
#include "views/widgets/fitted_text.h"

namespace iosx {
namespace {

using editor::AttributeField;
using editor::FieldKind;
using editor::FieldValue;

constexpr int kMost = 1'000'000'000;

bool may_have_bias(const Attributes& attributes) { return operator_row(attributes).role == OperatorRole::kLayer; }

std::optional<double> number_of(const QString& text) {
  bool ok = false;
  const double value = text.toDouble(&ok);
  return ok ? std::optional(value) : std::nullopt;
}

// Returns the part of an operator's unit; null without one.
const EditPart* part_of(const EditableGraph& graph, const EditOperator& op) {
  const EditUnit* const unit = graph.find(op.unit);
  return unit == nullptr ? nullptr : graph.find(unit->part);
}

QString shape_words(const std::optional<Shape>& shape) {
  return shape ? qstring(shape_text(*shape, "×")) : AttributeForm::tr("unknown");
}

}  // namespace

AttributeForm::AttributeForm(GraphController& controller, QWidget* parent)
    : QScrollArea(parent), controller_(controller) {
  setObjectName(QStringLiteral("attributes"));
  setAccessibleName(tr("Attributes of the selected operator"));
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  connect(&controller_, &GraphController::changed, this, &AttributeForm::refresh);
  connect(&controller_, &GraphController::selectionChanged, this, &AttributeForm::refresh);
  build();
}

void AttributeForm::focusFirst() {
  QWidget* const first = !rows_.empty() && rows_.front().editor != nullptr ? rows_.front().editor : name_;
  if (first == nullptr) return;
  first->setFocus(Qt::ShortcutFocusReason);
  ensureWidgetVisible(first);
}

void AttributeForm::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return emit left();
  QScrollArea::keyPressEvent(event);
}

AttributeForm::Subject AttributeForm::subject() const {
  Subject now;
  if (controller_.selected().size() != 1) return now;
  now.op = controller_.selected().front();
  const EditOperator& op = controller_.graph().op(*now.op);
  for (const AttributeField& field : editor::attribute_fields(op.attributes)) now.rows << field.id;
  now.rows << QStringLiteral("inputs %1").arg(op.inputs.size());
  return now;
}

void AttributeForm::refresh() {
  // Text in progress belongs to the current subject. It may change the graph, which calls this again.
  QWidget* const typing = QApplication::focusWidget();
  if (shown_ != subject() && typing != nullptr && isAncestorOf(typing)) typing->clearFocus();
  if (Subject now = subject(); shown_ != now) {
    shown_ = std::move(now);
    build();
  }
  showValues();
  showFacts();
}

void AttributeForm::build() {
  rows_.clear();
  facts_.clear();
  name_ = unit_ = part_ = nullptr;
  bias_ = nullptr;
  slots_.clear();
  typing_.reset();
  auto* page = new QWidget;
  form_ = new QFormLayout(page);
  form_->setContentsMargins(12, 12, 12, 12);
  form_->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
  form_->setRowWrapPolicy(QFormLayout::WrapLongRows);
  shown_.op ? buildOperator() : buildGraph();
  // The one before may be what called.
  if (QWidget* const before = takeWidget(); before != nullptr) before->deleteLater();
  setWidget(page);
  page->show();
  showValues();
  showFacts();
}

QLabel* AttributeForm::fact(const QString& name, const char* id) {
  auto* label = new WrappedLabel;
  label->setObjectName(QString::fromLatin1(id));
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  name.isEmpty() ? form_->addRow(label) : form_->addRow(name, label);
  facts_[QString::fromLatin1(id)] = label;
  return label;
}

void AttributeForm::buildGraph() {
  fact({}, "graph-hint");
  fact(tr("Network"), "graph-name");
  fact(tr("Operators"), "graph-operators");
  fact(tr("Units"), "graph-units");
  fact(tr("Parts"), "graph-parts");
}

void AttributeForm::buildOperator() {
  const EditOperator& op = controller_.graph().op(*shown_.op);
  name_ =
      nameLine(tr("Name"), "attribute-name", [this, key = *shown_.op](const EditOperator& now, const QString& text) {
        if (text != shown_name(now.name)) controller_.rename(key, text);
        return true;
      });
  fact(tr("Kind"), "attribute-kind");
  for (const AttributeField& field : editor::attribute_fields(op.attributes)) {
    Row row{field, makeEditor(field), new WrappedLabel};
    row.editor->setObjectName(QStringLiteral("attribute-") + field.id);
    row.editor->setAccessibleName(field.name);
    row.error->setObjectName(QStringLiteral("error-") + field.id);
    row.error->hide();
    auto* both = new QWidget;
    put_into(flush(new QVBoxLayout(both), 2), {row.editor, row.error});
    form_->addRow(field.name, both);
    rows_.push_back(row);
  }
  if (may_have_bias(op.attributes)) {
    bias_ = named("attribute-bias", new QCheckBox, tr("Bias"));
    form_->addRow(tr("Bias"), bias_);
    connect(bias_, &QCheckBox::toggled, this, [this](bool on) {
      if (!showing_ && shown_.op) controller_.push(set_biased(controller_.graph(), *shown_.op, on));
    });
  }
  if (operator_row(op.attributes).most_inputs > 0) {
    auto* reads = new QLabel(tr("Reads"));
    form_->addRow(reads);
    form_->addRow(makeInputs(op));
  }
  fact(tr("Gives"), "attribute-gives");
  if (controller_.graph().find(op.unit) != nullptr) {
    unit_ = nameLine(tr("Unit"), "attribute-unit", [this](const EditOperator& now, const QString& text) {
      const EditUnit* const unit = controller_.graph().find(now.unit);
      return unit == nullptr || text == shown_name(unit->name) ||
             controller_.push(rename_unit(controller_.graph(), now.unit, text.trimmed().toStdString()));
    });
    part_ = nameLine(tr("Part"), "attribute-part", [this](const EditOperator& now, const QString& text) {
      const EditPart* const part = part_of(controller_.graph(), now);
      return part == nullptr || text == shown_name(part->name) ||
             controller_.push(rename_part(controller_.graph(), part->key, text.trimmed().toStdString()));
    });
  }
  fact(tr("Problems"), "attribute-problems");
}

QLineEdit* AttributeForm::nameLine(const QString& title, const char* id, const Rename& rename) {
  auto* line = new QLineEdit;
  line->setObjectName(QString::fromLatin1(id));
  line->setAccessibleName(title);
  form_->addRow(title, line);
  connect(line, &QLineEdit::editingFinished, this, [this, line, rename, key = *shown_.op] {
    const EditOperator* const now = controller_.graph().find(key);
    if (!showing_ && now != nullptr && !rename(*now, line->text())) showValues();
  });
  return line;
}

// Puts slots under one another, each with what can be done with it; kinds that take any number of them get more.
QWidget* AttributeForm::makeInputs(const EditOperator& op) {
  auto* all = named("attribute-inputs", new QWidget);
  auto* column = new QVBoxLayout(all);
  column->setContentsMargins(8, 0, 0, 4);
  column->setSpacing(6);
  const OperatorRow& row = operator_row(op.attributes);
  const bool any_number = row.most_inputs == operator_table::kAnyNumber;
  for (std::size_t slot = 0; slot < op.inputs.size(); ++slot)
    column->addWidget(makeSlot(slot, op.inputs.size(), any_number));
  if (any_number) {
    auto* more = named("input-add", new QToolButton);
    more->setText(tr("Add an input"));
    connect(more, &QToolButton::clicked, this, [this] {
      if (shown_.op) controller_.push(add_input(controller_.graph(), *shown_.op));
    });
    column->addWidget(more, 0, Qt::AlignLeft);
  }
  return all;
}

QWidget* AttributeForm::makeSlot(std::size_t slot, std::size_t count, bool any_number) {
  Slot made{new WrappedLabel, new QLineEdit, new WrappedLabel};
  made.text->setObjectName(QStringLiteral("input-%1").arg(slot));
  made.channels->setObjectName(QStringLiteral("input-channels-%1").arg(slot));
  made.channels->setAccessibleName(tr("Channels of input %1").arg(slot + 1));
  made.channels->setPlaceholderText(tr("all channels"));
  made.channels->setToolTip(tr("Range of the channels to read, such as 0 – 64, without the last; empty: all"));
  made.error->setObjectName(QStringLiteral("error-channels-%1").arg(slot));
  made.error->hide();
  connect(made.channels, &QLineEdit::editingFinished, this, [this, slot] { setChannels(slot); });
  auto* tools = new QHBoxLayout;
  tools->setSpacing(2);
  tools->addWidget(made.channels, 1);
  const auto button = [&](const char* id, const QString& sign, const QString& what, bool enabled, auto does) {
    auto* tool = new QToolButton;
    tool->setObjectName(QStringLiteral("%1-%2").arg(QString::fromLatin1(id)).arg(slot));
    tool->setText(sign);
    tool->setAutoRaise(true);
    tool->setAccessibleName(what);
    tool->setToolTip(what);
    tool->setEnabled(enabled);
    connect(tool, &QToolButton::clicked, this, [this, does] {
      if (shown_.op) controller_.push(does(controller_.graph(), *shown_.op));
    });
    tools->addWidget(tool);
  };
  if (any_number) {
    button("input-up", QStringLiteral("↑"), tr("Move input %1 up").arg(slot + 1), slot > 0,
           [slot](const EditableGraph& graph, OperatorKey key) { return move_input(graph, key, slot, slot - 1); });
    button("input-down", QStringLiteral("↓"), tr("Move input %1 down").arg(slot + 1), slot + 1 < count,
           [slot](const EditableGraph& graph, OperatorKey key) { return move_input(graph, key, slot, slot + 1); });
    button("input-remove", QStringLiteral("×"), tr("Remove input %1").arg(slot + 1), true,
           [slot](const EditableGraph& graph, OperatorKey key) { return remove_input(graph, key, slot); });
  }
  auto* both = new QWidget;
  put_into(flush(new QVBoxLayout(both), 2), {made.text, tools, made.error});
  slots_.push_back(made);
  return both;
}

void AttributeForm::setChannels(std::size_t slot) {
  if (showing_ || !shown_.op || slot >= slots_.size()) return;
  const EditOperator* const op = controller_.graph().find(*shown_.op);
  if (op == nullptr || slot >= op->inputs.size() || op->inputs[slot].open()) return;
  EditInput wanted = op->inputs[slot];
  const QString text = slots_[slot].channels->text().trimmed();
  static const QRegularExpression kRange(QStringLiteral("^(\\d{1,12})\\s*[-–:, ]\\s*(\\d{1,12})$"));
  const auto range = kRange.match(text);
  QLabel* const error = slots_[slot].error;
  const auto refuse = [&](const QString& why) { say(*error, why); };
  if (text.isEmpty()) {
    wanted.channels.reset();
  } else if (range.hasMatch()) {
    wanted.channels = ChannelRange{range.captured(1).toLongLong(), range.captured(2).toLongLong()};
  } else {
    return refuse(tr("Enter two whole numbers, such as 0 – 64"));
  }
  refuse({});
  if (wanted == op->inputs[slot]) return;
  auto patch = iosx::connect(controller_.graph(), controller_.check(), wanted, *shown_.op, slot);
  patch ? void(controller_.push(*std::move(patch))) : refuse(message_text(patch.error().what));
}

void AttributeForm::showInputs(const EditOperator& op) {
  for (std::size_t slot = 0; slot < slots_.size() && slot < op.inputs.size(); ++slot) {
    const EditInput& input = op.inputs[slot];
    const EditOperator* const from = controller_.graph().find(input.producer);
    slots_[slot].text->setText(from == nullptr ? tr("%1. not connected").arg(slot + 1)
                                               : QStringLiteral("%1. %2 · %3")
                                                     .arg(QString::number(slot + 1), shown_name(from->name),
                                                          shape_words(controller_.check().shape_of(input))));
    slots_[slot].channels->setEnabled(from != nullptr);
    if (slots_[slot].channels->hasFocus() && slots_[slot].channels->isModified()) continue;
    slots_[slot].channels->setText(
        input.channels ? QStringLiteral("%1 – %2").arg(input.channels->begin).arg(input.channels->end) : QString());
  }
}

QWidget* AttributeForm::makeEditor(const AttributeField& field) {
  const QString id = field.id;
  // `read` gives what the text says, or nothing; then `why` is said.
  const auto make_line = [&](auto read, const QString& why) {
    auto* line = new QLineEdit;
    connect(line, &QLineEdit::textEdited, this, [this, id, read, why](const QString& text) {
      const auto value = read(text);
      value ? change(id, *value) : refuse(id, why);
    });
    connect(line, &QLineEdit::editingFinished, this, [this, id] { settle(id); });
    return line;
  };
  switch (field.kind) {
    case FieldKind::kInteger: {
      auto* box = new QSpinBox;
      box->setRange(static_cast<int>(std::max<std::int64_t>(field.least, -kMost)),
                    static_cast<int>(std::min<std::int64_t>(field.most, kMost)));
      box->setKeyboardTracking(true);
      box->setGroupSeparatorShown(false);
      connect(box, &QSpinBox::valueChanged, this, [this, id](int value) { change(id, std::int64_t{value}); });
      connect(box, &QSpinBox::editingFinished, this, [this, id] { settle(id); });
      return box;
    }
    case FieldKind::kNumber: return make_line(number_of, tr("This is not a number"));
    case FieldKind::kChoice: {
      auto* box = new QComboBox;
      box->addItems(field.choices);
      connect(box, &QComboBox::currentIndexChanged, this,
              [this, id](int index) { change(id, static_cast<std::int64_t>(index)); });
      return box;
    }
    case FieldKind::kTruth: {
      auto* box = new QCheckBox;
      connect(box, &QCheckBox::toggled, this, [this, id](bool on) { change(id, on); });
      return box;
    }
    case FieldKind::kList: return make_line(editor::list_of, tr("Enter whole numbers, such as 3 × 3"));
    case FieldKind::kText: return make_line([](const QString& text) { return std::optional(text); }, {});
  }
  return new QWidget;
}

AttributeForm::Row* AttributeForm::rowOf(const QString& id) {
  const auto row = std::ranges::find(rows_, id, [](const Row& each) { return each.field.id; });
  return row == rows_.end() ? nullptr : &*row;
}

// Typing into one row is one step.
void AttributeForm::change(const QString& id, const FieldValue& value) {
  Row* const row = rowOf(id);
  if (showing_ || !shown_.op || row == nullptr || controller_.graph().find(*shown_.op) == nullptr) return;
  const Attributes& own = controller_.graph().op(*shown_.op).attributes;
  Attributes attributes = own;
  row->field.set(attributes, value);
  if (auto ok = check_attributes(attributes); !ok) return refuse(id, message_text(ok.error().what));
  auto patch = set_attributes(controller_.graph(), *shown_.op, attributes);
  if (!patch) return refuse(id, message_text(patch.error().what));
  row->refused = false;
  say(*row->error, {});
  if (!typing_ || typing_->id != id || typing_->now != own) typing_ = Typing{id, controller_.newGesture(), own, own};
  typing_->now = std::move(attributes);
  controller_.push(*std::move(patch), typing_->gesture);
}

// Intermediate values were not intended: the operator gets its earlier value back.
void AttributeForm::refuse(const QString& id, const QString& error) {
  Row* const row = rowOf(id);
  if (row == nullptr || !shown_.op) return;
  row->refused = true;
  say(*row->error, error);
  // A choice is made at once; what is typed may go on.
  if (row->field.kind == FieldKind::kChoice || row->field.kind == FieldKind::kTruth) return settle(id);
  if (!typing_ || typing_->id != id || typing_->now != controller_.graph().op(*shown_.op).attributes) return;
  typing_->now = typing_->before;
  if (auto back = set_attributes(controller_.graph(), *shown_.op, typing_->before))
    controller_.push(*std::move(back), typing_->gesture);
}

// Typing has ended: the row shows the operator's value, and why it differs from the typed one.
void AttributeForm::settle(const QString& id) {
  if (showing_) return;
  if (typing_ && typing_->id == id) typing_.reset();
  Row* const row = rowOf(id);
  if (row == nullptr || !row->refused || !shown_.op || controller_.graph().find(*shown_.op) == nullptr) return;
  row->refused = false;
  say(*row->error, tr("%1. The value is kept").arg(row->error->text()));
  const QScopedValueRollback guard(showing_, true);
  showValue(*row, controller_.graph().op(*shown_.op).attributes);
}

void AttributeForm::say(QLabel& label, const QString& error) {
  label.setText(error);
  label.setVisible(!error.isEmpty());
  label.setPalette(error.isEmpty() ? palette() : errorPalette());
}

QPalette AttributeForm::errorPalette() const {
  QPalette colours = palette();
  colours.setColor(QPalette::WindowText, theme_of(colours).error);
  return colours;
}

// Text in progress stays as typed.
void AttributeForm::showValues() {
  if (!shown_.op || controller_.graph().find(*shown_.op) == nullptr) return;
  const QScopedValueRollback guard(showing_, true);
  const EditOperator& op = controller_.graph().op(*shown_.op);
  if (!name_->hasFocus() || !name_->isModified()) name_->setText(shown_name(op.name));
  const EditUnit* const unit = controller_.graph().find(op.unit);
  const EditPart* const part = part_of(controller_.graph(), op);
  if (unit_ != nullptr && unit != nullptr) unit_->setText(shown_name(unit->name));
  if (part_ != nullptr && part != nullptr) part_->setText(shown_name(part->name));
  showInputs(op);
  if (bias_ != nullptr) bias_->setChecked(op.biased);
  for (Row& row : rows_) {
    const bool line = qobject_cast<QLineEdit*>(row.editor) != nullptr;
    if (!row.refused && !(line && row.editor->hasFocus())) showValue(row, op.attributes);
  }
}

void AttributeForm::showValue(Row& row, const Attributes& attributes) {
  const FieldValue value = row.field.get(attributes);
  const auto write = [&](const QString& text) { static_cast<QLineEdit*>(row.editor)->setText(text); };
  switch (row.field.kind) {
    case FieldKind::kInteger: {
      auto* box = static_cast<QSpinBox*>(row.editor);
      const int number = static_cast<int>(std::clamp<std::int64_t>(std::get<std::int64_t>(value), -kMost, kMost));
      if (box->value() != number) box->setValue(number);
      break;
    }
    case FieldKind::kNumber: write(QString::number(std::get<double>(value), 'g', 7)); break;
    case FieldKind::kChoice:
      static_cast<QComboBox*>(row.editor)->setCurrentIndex(static_cast<int>(std::get<std::int64_t>(value)));
      break;
    case FieldKind::kTruth: static_cast<QCheckBox*>(row.editor)->setChecked(std::get<bool>(value)); break;
    case FieldKind::kList: write(editor::list_text(std::get<std::vector<std::int64_t>>(value))); break;
    case FieldKind::kText: write(std::get<QString>(value)); break;
  }
}

void AttributeForm::showFacts() {
  const EditableGraph& graph = controller_.graph();
  const auto put = [this](const char* id, const QString& text) {
    const auto found = facts_.find(QString::fromLatin1(id));
    if (found != facts_.end()) found->second->setText(text);
  };
  if (!shown_.op) {
    put("graph-hint", controller_.selected().empty()
                          ? tr("Select an operator to change its attributes")
                          : tr("%1 operators are selected").arg(controller_.selected().size()));
    put("graph-name", shown_name(graph.name()));
    const auto computes = [](const auto& each) { return !each.second->is_source(); };
    put("graph-operators", format::count(std::ranges::count_if(graph.operators(), computes)));
    put("graph-units", format::count(static_cast<std::int64_t>(graph.units().size())));
    QStringList parts;
    for (const EditPart& part : graph.parts()) parts << shown_name(part.name);
    put("graph-parts", parts.size() > 12 ? format::count(parts.size()) : parts.join(QStringLiteral(", ")));
    return;
  }
  const EditOperator* const op = graph.find(*shown_.op);
  if (op == nullptr) return;
  put("attribute-kind", qstring(kind_name(op->attributes)));
  const iosx::Shape* const made = controller_.check().shapes.find(*shown_.op);
  put("attribute-gives", shape_words(made == nullptr ? std::nullopt : std::optional<iosx::Shape>(*made)));
  QStringList problems;
  for (const Problem& problem : controller_.check().problems) {
    if (!problem.operators.empty() && problem.operators.front() == *shown_.op)
      problems << message_text(problem.wording);
  }
  put("attribute-problems", problems.isEmpty() ? tr("none") : problems.join(QLatin1Char('\n')));
  if (const auto found = facts_.find(QStringLiteral("attribute-problems")); found != facts_.end())
    found->second->setPalette(problems.isEmpty() ? palette() : errorPalette());
}

}  // namespace iosx

#include "moc_attribute_form.cpp"
