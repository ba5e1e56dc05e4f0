#pragma once

#include <QDialog>
#include <string>

#include "views/window/devices/predictor_keeper.h"

class QComboBox;
class QSpinBox;

namespace iosx {

// Asks on which device operators of a network are measured, and how many stages of them.
class MeasureOperatorsDialog final : public QDialog {
  Q_OBJECT

 public:
  // The device that is chosen in the window is offered first, where it measures.
  MeasureOperatorsDialog(const PredictorKeeper& keeper, const QString& network, QWidget* parent);

  std::string device() const;
  std::size_t most() const;

 private:
  QComboBox* device_;
  QSpinBox* most_;
};

}  // namespace iosx
