#include "views/window/dialogs/run_settings_dialog.h"

#include <QPushButton>

#include "views/widgets/dialog_parts.h"
#include "views/window/base/option_form.h"

namespace iosx {
namespace {

// Returns the defaults; what the form does not ask for stays.
CompareOptions with_defaults(CompareOptions options) {
  CompareOptions defaults{.sensitivity = true};
  const std::vector<BoundOption> usual = options_of(defaults, use::kCompare);
  const std::vector<BoundOption> all = options_of(options, use::kCompare);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].set(usual[i].get());
  return options;
}

}  // namespace

RunSettingsDialog::RunSettingsDialog(const CompareOptions& options, const DeviceInfo* device, QWidget* parent)
    : QDialog(parent), form_(new OptionForm(options)) {
  setWindowTitle(tr("Run settings"));
  auto* buttons = answers(this, QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::RestoreDefaults);
  connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, form_,
          [this] { form_->show(with_defaults(form_->options())); });
  connect(form_, &OptionForm::edited, buttons,
          [this, ok = buttons->button(QDialogButtonBox::Ok)] { ok->setEnabled(form_->valid()); });
  form_->setDevice(device);
  put_into(new QVBoxLayout(this), {form_, buttons});
}

const CompareOptions& RunSettingsDialog::options() const { return form_->options(); }

}  // namespace iosx

#include "moc_run_settings_dialog.cpp"
