#pragma once

#include <QScrollArea>
#include <QStringList>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "core/model/edit/editable_graph.h"
#include "views/edit_graph/attribute_fields.h"

class QCheckBox;
class QFormLayout;
class QLabel;
class QLineEdit;

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
