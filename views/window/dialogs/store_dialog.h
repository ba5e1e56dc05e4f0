#pragma once

#include <QDialog>
#include <QTimer>
#include <optional>

#include "core/devices/device.h"
#include "core/devices/measure/store_place.h"
#include "views/app_model/job_runner.h"

class QCheckBox;
class QLabel;
class QLineEdit;

namespace iosx {

// Asks whether and where measurements are kept from run to run, and says how many are there. The file is only read, on
// a thread of the dialog's own.
class StoreDialog final : public QDialog {
  Q_OBJECT

 public:
  // The device, if any, is the one whose measurements are counted.
  StoreDialog(const StorePlace& place, const DeviceInfo* device, QWidget* parent);
  // The usual place is an empty file, so that it stays the usual one wherever that will be.
  StorePlace place() const;

 private:
  QString typedFile() const;  // absolute
  void browse();
  void look();

  std::optional<DeviceInfo> device_;
  QString usual_;  // empty where there is none
  QCheckBox* kept_;
  QLineEdit* file_;
  QLabel* content_;
  QTimer typing_;     // not every letter is a file to look for
  JobRunner reader_;  // last: its thread ends before the rest goes
};

// Says how many measurements are there, and how many of these count for the device, which may be null.
QString content_text(const StoreInfo& info, const DeviceInfo* device);

}  // namespace iosx
