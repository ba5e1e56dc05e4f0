#pragma once

#include <QScrollArea>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <variant>
#include <vector>

#include "core/model/edit/editable_graph.h"
#include "core/model/graph/operator.h"

class QCheckBox;
class QFormLayout;
class QLabel;
class QLineEdit;

namespace iosx::editor {

enum class FieldKind { kInteger, kNumber, kChoice, kTruth, kList, kText };

// An integer or the index of a choice; a number; a boolean; a list of integers; a text.
using FieldValue = std::variant<std::int64_t, double, bool, std::vector<std::int64_t>, QString>;

// Describes one attribute of an operator, or a part of one, to be looked at and changed.
struct AttributeField {
  QString id;    // for object names
  QString name;  // for display
  FieldKind kind = FieldKind::kInteger;
  QStringList choices = {};
  std::int64_t least = 0;  // of an integer
  std::int64_t most = 0;
  std::function<FieldValue(const Attributes&)> get = {};
  std::function<void(Attributes&, const FieldValue&)> set = {};
};

// Returns the fields in display order. They depend on the kind of operator and on its function.
std::vector<AttributeField> attribute_fields(const Attributes& attributes);

// list_text() writes "3 × 224 × 224", and list_of() reads it; none for a text with anything but whole numbers.
QString list_text(const std::vector<std::int64_t>& list);
std::optional<std::vector<std::int64_t>> list_of(const QString& text);

}  // namespace iosx::editor

namespace iosx {

class GraphController;

// The form of the selected operator: name, attributes, inputs and output, a row per attribute with its problem below.
// With several operators selected, or none, it shows the whole graph.
class AttributeForm final : public QScrollArea {
  Q_OBJECT

 public:
  explicit AttributeForm(GraphController& controller, QWidget* parent = nullptr);
  QSize sizeHint() const override { return {330, 500}; }
  // Focuses the first attribute of the selected operator, or else its name. Escape goes back.
  void focusFirst();

 signals:
  void left();  // by Escape

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  // A slot of the operator: its producer and channels.
  struct Slot {
    QLabel* text = nullptr;
    QLineEdit* channels = nullptr;
    QLabel* error = nullptr;
  };
  struct Row {
    editor::AttributeField field;
    QWidget* editor = nullptr;
    QLabel* error = nullptr;
    bool refused = false;  // its editor shows another value than the operator has
  };

  // The subject of the rows: an operator, or the whole graph.
  struct Subject {
    std::optional<OperatorKey> op;
    QStringList rows;
    bool operator==(const Subject&) const = default;
  };

  Subject subject() const;  // by the selection
  void refresh();
  void build();
  void buildOperator();
  void buildGraph();
  QWidget* makeInputs(const EditOperator& op);
  QWidget* makeSlot(std::size_t slot, std::size_t count, bool any_number);
  // Gives something of the operator a new name, unless it has that; false: it cannot have it.
  using Rename = std::function<bool(const EditOperator& now, const QString& text)>;
  QLineEdit* nameLine(const QString& title, const char* id, const Rename& rename);
  void showInputs(const EditOperator& op);
  void setChannels(std::size_t slot);
  QWidget* makeEditor(const editor::AttributeField& field);
  void showValues();
  void showValue(Row& row, const Attributes& attributes);
  void showFacts();
  void change(const QString& id, const editor::FieldValue& value);
  void refuse(const QString& id, const QString& error);
  void settle(const QString& id);
  void say(QLabel& label, const QString& error);
  QPalette errorPalette() const;
  Row* rowOf(const QString& id);
  QLabel* fact(const QString& name, const char* id);

  GraphController& controller_;
  Subject shown_;
  std::vector<Row> rows_;
  QFormLayout* form_ = nullptr;
  QLineEdit* name_ = nullptr;
  QLineEdit* unit_ = nullptr;  // names of the operator's unit and part
  QLineEdit* part_ = nullptr;
  QCheckBox* bias_ = nullptr;  // null: the operator can have none
  std::vector<Slot> slots_;
  std::map<QString, QLabel*> facts_;
  // For the row being edited, the operator's value before and the text so far.
  struct Typing {
    QString id;
    std::uint64_t gesture = 0;
    Attributes before;
    Attributes now;
  };
  std::optional<Typing> typing_;
  bool showing_ = false;
};

}  // namespace iosx
