#pragma once

#include <QDialog>

#include "core/devices/device.h"

class QDoubleSpinBox;
class QSpinBox;

namespace iosx {

// Asks how long a measuring device measures: the settings of TimingOptions that a user can judge.
class TimingDialog final : public QDialog {
  Q_OBJECT

 public:
  TimingDialog(const TimingOptions& timing, QWidget* parent);
  TimingOptions timing() const;

 private:
  void show(const TimingOptions& timing);

  TimingOptions given_;
  QSpinBox* warmup_;
  QSpinBox* repeats_;
  QSpinBox* max_repeats_;
  QDoubleSpinBox* min_time_;   // ms
  QDoubleSpinBox* precision_;  // %
};

}  // namespace iosx
