#pragma once

#include <QToolButton>

#include "views/app_model/run_settings.h"

class QAction;
class QComboBox;
class QFrame;
class QLabel;
class QSpinBox;

namespace iosx {

// Says in the tool bar what a search may do, "Both · r 3 · s 8", and opens the boxes that change it, each with what it
// means; a drawing shows how large a stage that allows.
class SearchLimits final : public QToolButton {
  Q_OBJECT

 public:
  // `timing` is offered there, too, for devices that measure.
  explicit SearchLimits(QAction& timing, QWidget* parent = nullptr);

  void show(const RunSettings& settings);     // without a signal
  void putInto(RunSettings& settings) const;  // what the boxes say
  void setMeasuring(bool measuring);          // timing() means something
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
