#pragma once

#include <QString>
#include <QWidget>

namespace iosx {

class GraphController;
class Jobs;
class Session;

// Says in one line what is shown and whether that is what the settings of now would give: "Up to date – Simulated
// Tesla V100, batch 1", or what differs and what to do about it; before that, what of a drawing is not shown. It is for
// the status bar, where it moves nothing.
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
  void paintEvent(QPaintEvent* event) override;  // what does not fit is elided; the tool tip has it

 private:
  void refresh();

  Session& session_;
  const Jobs& jobs_;
  const GraphController& controller_;
  QString text_;
  bool current_ = true;
};

}  // namespace iosx
