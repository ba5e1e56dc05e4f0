#pragma once

#include <QWidget>
#include <functional>
#include <vector>

#include "core/analysis/compare/compare_options.h"

class QLabel;

namespace iosx {

// The control of one option, made from its row: a check box, a box for a number, or a list of words. It is named by the
// option's id and says what the option does.
struct OptionControl {
  BoundOption option;
  QWidget* widget = nullptr;
  std::function<void()> show;  // the option's value in the control; nobody is told of an edit
};
// `edited` is called once an edit has set the option.
OptionControl make_option_control(const BoundOption& option, const std::function<void()>& edited);

// A form of the options of compare(): how to search, how to time, and the rest. What one edit implies of other options
// is seen at once.
class OptionForm final : public QWidget {
  Q_OBJECT

 public:
  explicit OptionForm(const CompareOptions& options, QWidget* parent = nullptr);

  const CompareOptions& options() const { return options_; }
  void show(const CompareOptions& options);
  // Options that contradict one another are no answer; the form says which.
  bool valid() const { return valid_; }

  // Disables the options that the device cannot apply.
  void setDevice(const DeviceInfo* device);

 signals:
  void edited();

 private:
  void settleAndShow();

  CompareOptions options_;
  std::vector<OptionControl> controls_;
  QWidget* timing_ = nullptr;
  QLabel* problem_;
  bool valid_ = true;
};

}  // namespace iosx
