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

// Asks whether and where measurements are kept between runs, and shows their number. The file is only read, on the
// dialog's own thread.
class StoreDialog final : public QDialog {
  Q_OBJECT

 public:
  // The device, if any, is the one whose measurements are counted.
  StoreDialog(const StorePlace& place, const DeviceInfo* device, QWidget* parent);
  // An empty file means the usual place, so that it follows later changes of that.
  StorePlace place() const;

 private:
  QString typedFile() const;  // absolute
  void browse();
  void look();

  std::optional<DeviceInfo> device_;
  QString usual_;  // empty without one
  QCheckBox* kept_;
  QLineEdit* file_;
  QLabel* content_;
  QTimer typing_;     // delays the look-up while typing
  JobRunner reader_;  // last: its thread ends before the rest is destroyed
};

// Returns how many measurements there are, and how many of these are for the device, which may be null.
QString content_text(const StoreInfo& info, const DeviceInfo* device);

}  // namespace iosx
