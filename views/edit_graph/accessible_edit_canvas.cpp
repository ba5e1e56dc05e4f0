#include "views/edit_graph/accessible_edit_canvas.h"

#include <QStringList>
#include <vector>

#include "views/edit_graph/edit_canvas.h"
#include "views/edit_graph/graph_controller.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/widgets/painted_items.h"

namespace iosx::editor {
namespace {

class OperatorItems final : public PaintedItems {
 public:
  explicit OperatorItems(EditCanvas& canvas) : canvas_(canvas) {}

  std::size_t count() const override { return boxes().size(); }
  QString name(std::size_t item) const override {
    const EditBox& box = boxes()[item];
    const EditableGraph& graph = canvas_.controller().graph();
    const EditOperator& op = graph.op(box.key);
    QStringList all{shown_name(op.name), box.text->line};
    if (!box.text->shape.isEmpty()) all << box.text->shape;
    QStringList reads;
    for (const EditInput& input : op.inputs) {
      if (const EditOperator* const from = graph.find(input.producer)) reads << shown_name(from->name);
    }
    if (!reads.isEmpty()) all << EditCanvas::tr("reads %1").arg(reads.join(QStringLiteral(", ")));
    for (const std::size_t p : box.problems) all << message_text(canvas_.controller().check().problems[p].wording);
    return all.join(QStringLiteral(", "));
  }
  QRect rect(std::size_t item) const override { return canvas_.rectOf(boxes()[item]); }
  bool selected(std::size_t item) const override { return canvas_.controller().isSelected(boxes()[item].key); }
  std::optional<std::size_t> focused() const override {
    const auto& keys = canvas_.controller().selected();
    return keys.size() == 1 ? canvas_.controller().scene().position(keys.front()) : std::nullopt;
  }
  std::optional<std::size_t> itemAt(const QPoint& at) const override {
    return canvas_.controller().scene().boxAt(canvas_.toScene(at));
  }
  void press(std::size_t item) override { canvas_.controller().reveal(boxes()[item].key); }

 private:
  const std::vector<EditBox>& boxes() const { return canvas_.controller().scene().boxes(); }

  EditCanvas& canvas_;
};

}  // namespace

void install_accessible_canvas() { install_painted_items<EditCanvas, OperatorItems>(); }

}  // namespace iosx::editor
