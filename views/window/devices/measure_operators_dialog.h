#pragma once

#include <QDialog>
#include <string>

#include "views/window/devices/predictor_keeper.h"

class QComboBox;
class QSpinBox;

namespace iosx {

// Asks for the device on which to measure operators of a network, and the number of stages.
class MeasureOperatorsDialog final : public QDialog {
  Q_OBJECT

 public:
  // The window's device is the first choice, if it measures.
  MeasureOperatorsDialog(const PredictorKeeper& keeper, const QString& network, QWidget* parent);

  std::string device() const;
  std::size_t most() const;

 private:
  QComboBox* device_;
  QSpinBox* most_;
};

}  // namespace iosx
