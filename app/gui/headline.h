#pragma once

#include <QString>
#include <QToolBar>

#include "core/compare/comparison.h"

class QAction;
class QLabel;
class QPushButton;

namespace iosx {

class Session;

// What the comparison found, in one large sentence, and where its latencies come from. After a simulation it offers to
// measure the same on this machine, which never starts by itself.
class Headline final : public QToolBar {
  Q_OBJECT

 public:
  // The session must outlive the widget.
  explicit Headline(Session& session, QWidget* parent = nullptr);

 private:
  void refresh();
  void measureHere();

  Session& session_;
  QLabel* sentence_;
  QLabel* detail_;
  QPushButton* measure_;
  QAction* measure_place_;  // the button's place in the bar, shown and hidden with it
};

// "1.27 × as fast as one operator at a time"; what it says is about the best schedule that a search found, or else
// about the fastest.
QString headline_text(const Comparison& comparison);
QString headline_detail(const Comparison& comparison);

}  // namespace iosx
