#pragma once

#include <QDialog>

#include "core/analysis/compare/compare_options.h"

namespace iosx {

class OptionForm;

// Asks how networks are searched, timed and compared: all options of compare() but those that the tool bar has.
class RunSettingsDialog final : public QDialog {
  Q_OBJECT

 public:
  // `device` is the one that is chosen, null where there is none. It must outlive the dialog.
  RunSettingsDialog(const CompareOptions& options, const DeviceInfo* device, QWidget* parent);
  const CompareOptions& options() const;

 private:
  OptionForm* form_;
};

}  // namespace iosx
