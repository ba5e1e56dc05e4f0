#pragma once

#include <QToolButton>

#include "views/app_model/run_settings.h"

class QAction;
class QComboBox;
class QFrame;
class QLabel;
class QSpinBox;

namespace iosx {

// Shows the search options in the tool bar, "Both · r 3 · s 8", and opens their fields with explanations; a drawing
// shows the largest allowed stage.
class SearchLimits final : public QToolButton {
  Q_OBJECT

 public:
  // `timing` is offered there, too, for measuring devices.
  explicit SearchLimits(QAction& timing, QWidget* parent = nullptr);

  void show(const RunSettings& settings);     // without a signal
  void putInto(RunSettings& settings) const;  // the fields' values
  void setMeasuring(bool measuring);          // timing() applies
  void open();

 signals:
  void changed();

 private:
  QFrame* build(QAction& timing);
  void describe();

  QComboBox* strategy_;
  QSpinBox* r_;
  QSpinBox* s_;
  QWidget* sketch_;
  QWidget* timing_ = nullptr;
  QFrame* popup_;
  bool showing_ = false;
};

}  // namespace iosx
