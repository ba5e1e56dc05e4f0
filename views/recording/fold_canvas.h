#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "views/canvas/canvas_widget.h"
#include "views/recording/fold_layout.h"

namespace iosx {

// Shows the kernels of a recording as a graph, folded by path. A click chooses a box, a double click or its sign
// unfolds it, and a click on the header of a frame folds that. Keys: arrows go to other boxes, Return unfolds or folds.
class FoldCanvas final : public CanvasWidget {
  Q_OBJECT

 public:
  explicit FoldCanvas(QWidget* parent = nullptr);

  void setRecording(std::shared_ptr<const OpenedRecording> opened);  // null: none
  const recorded::FoldLayout& layout() const { return layout_; }
  const Unfolding* unfolding() const { return unfolding_ ? &*unfolding_ : nullptr; }
  void setUnfolded(std::uint32_t node, bool unfolded);
  std::optional<std::uint32_t> chosen() const { return chosen_; }
  // Marks the box of a kernel, or this box; `reveal` brings it into sight.
  void showKernel(std::optional<std::uint32_t> kernel);
  void choose(std::optional<std::uint32_t> box, bool reveal);
  QString nameOf(std::size_t box) const;
  QRect rectOf(std::size_t box) const;

 signals:
  void boxChosen(std::uint32_t box);  // by the user
  void cleared();
  void refused(const QString& why);

 protected:
  std::optional<canvas::Rect> sceneBounds() const override;
  canvas::Rect selectionBounds() const override;
  canvas::Rect fitArea(const canvas::Rect& scene) const override;
  void paintCanvas(QPainter& painter) override;
  QString tipAt(const QPointF& at) const override;
  std::shared_ptr<canvas::CanvasTool> toolAt(const canvas::Pointer& pointer) override;
  std::shared_ptr<canvas::CanvasTool> doubleClicked(const canvas::Pointer& pointer) override;
  void hover(const QPointF& at) override;
  void unhover() override;
  bool keyPressed(QKeyEvent& event) override;
  void search(const QString& text) override;
  std::size_t foundCount() override { return found_.size(); }
  void goToFound(std::size_t index) override;
  void resizeEvent(QResizeEvent* event) override;
  void viewMoved() override;

 private:
  class ClickTool;

  void layOut();
  void showBeginning();
  void showFirst(std::size_t number);  // of kFirstBoxes
  QString aboutBox(const FoldNode& node) const;
  void click(const QPointF& at);
  bool onSign(const recorded::FoldBox& box, const canvas::Point& at) const;
  void paintBox(QPainter& painter, const recorded::FoldBox& box) const;
  void paintLine(QPainter& painter, const recorded::FoldLine& line) const;

  std::shared_ptr<const OpenedRecording> opened_;
  std::optional<Unfolding> unfolding_;
  recorded::FoldLayout layout_;
  std::optional<std::uint32_t> chosen_;
  std::optional<std::size_t> hovered_;
  // What may be shown first, from the most boxes on; made when they are needed.
  struct First {
    Unfolding unfolding;
    recorded::FoldLayout layout;
  };
  std::vector<First> firsts_;
  bool touched_ = false;              // the user moved the view, unfolded or chose a box
  std::vector<std::uint32_t> found_;  // boxes of the fold
};

}  // namespace iosx
