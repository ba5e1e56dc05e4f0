#pragma once

#include <QString>
#include <QWidget>

namespace iosx {

class GraphController;
class Jobs;
class Session;

// Shows in one line the content and whether it matches the current settings: "Up to date – Simulated Tesla V100, batch
// 1", or the difference and the remedy; with priority, what is missing of a drawing. For the status bar, where it moves
// nothing.
class StateLine final : public QWidget {
  Q_OBJECT

 public:
  // All must outlive the widget.
  StateLine(Session& session, const Jobs& jobs, const GraphController& controller, QWidget* parent = nullptr);

  QString text() const { return text_; }
  bool isCurrent() const { return current_; }
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {1, sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;  // long text is elided; the tool tip has it

 private:
  void refresh();

  Session& session_;
  const Jobs& jobs_;
  const GraphController& controller_;
  QString text_;
  bool current_ = true;
};

}  // namespace iosx
