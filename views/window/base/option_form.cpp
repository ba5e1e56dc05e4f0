#include "views/window/base/option_form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QGroupBox>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>

#include "core/base/check.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"

namespace iosx {
namespace {

constexpr int kDecimals = 3;

bool may_be_none(const OptionInfo& info) { return !info.none.pattern.empty(); }

// A number that no value has stands for none, and is shown as its word.
double number_for_none(const OptionInfo& info) { return info.bounds.least > 0 ? 0 : info.bounds.least - 1; }

OptionControl check_box(const BoundOption& option, const std::function<void()>& edited) {
  auto* box = new QCheckBox;
  QObject::connect(box, &QCheckBox::toggled, box, [option, edited](bool on) {
    option.set(on);
    edited();
  });
  return {option, box, [option, box] {
            const QSignalBlocker quiet(box);
            box->setChecked(std::get<bool>(option.get()));
          }};
}

OptionControl word_box(const BoundOption& option, const std::function<void()>& edited) {
  auto* box = new QComboBox;
  for (const std::string_view word : option.info->words) box->addItem(core_words(word), qstring(word));
  QObject::connect(box, &QComboBox::currentIndexChanged, box, [option, edited](int index) {
    option.set(option.info->words[static_cast<std::size_t>(index)]);
    edited();
  });
  return {option, box, [option, box] {
            const QSignalBlocker quiet(box);
            box->setCurrentIndex(box->findData(qstring(std::get<std::string_view>(option.get()))));
          }};
}

// Shows the word of the least number, where that is none or stands for something else.
template <typename Box>
void say_least(Box* box, const OptionInfo& info) {
  if (may_be_none(info)) {
    box->setSpecialValueText(message_text(info.none));
  } else if (!info.zero.pattern.empty() && info.bounds.least == 0) {
    box->setSpecialValueText(message_text(info.zero));
  }
  if (!info.unit.empty()) box->setSuffix(QChar(0x00A0) + qstring(info.unit));
  box->setKeyboardTracking(false);  // a number that is being typed is none yet
}

OptionControl whole_box(const BoundOption& option, const std::function<void()>& edited) {
  auto* box = new QSpinBox;
  const Bounds<std::int64_t> bounds = option.info->whole_bounds();
  box->setRange(static_cast<int>(bounds.least), static_cast<int>(bounds.most));
  say_least(box, *option.info);
  QObject::connect(box, &QSpinBox::valueChanged, box, [option, edited](int value) {
    option.set(std::int64_t{value});
    edited();
  });
  return {option, box, [option, box] {
            const QSignalBlocker quiet(box);
            box->setValue(static_cast<int>(std::get<std::int64_t>(option.get())));
          }};
}

OptionControl number_box(const BoundOption& option, const std::function<void()>& edited) {
  auto* box = new QDoubleSpinBox;
  const OptionInfo& info = *option.info;
  box->setDecimals(kDecimals);
  box->setRange(may_be_none(info) ? number_for_none(info) : info.bounds.least, info.bounds.most);
  box->setStepType(QAbstractSpinBox::AdaptiveDecimalStepType);
  say_least(box, info);
  QObject::connect(box, &QDoubleSpinBox::valueChanged, box, [option, edited](double value) {
    option.set(option.info->bounds.hold(value) ? OptionValue(value) : OptionValue());
    edited();
  });
  return {option, box, [option, box] {
            const QSignalBlocker quiet(box);
            const OptionValue value = option.get();
            const auto* const number = std::get_if<double>(&value);
            box->setValue(number == nullptr ? number_for_none(*option.info) : *number);
          }};
}

}  // namespace

OptionControl make_option_control(const BoundOption& option, const std::function<void()>& edited) {
  IOS_CHECK(option.kind < OptionKind::kText);  // no option of a form is a text
  OptionControl control = option.kind == OptionKind::kFlag     ? check_box(option, edited)
                          : option.kind == OptionKind::kChoice ? word_box(option, edited)
                          : option.kind == OptionKind::kWhole  ? whole_box(option, edited)
                                                               : number_box(option, edited);
  control.widget->setObjectName(qstring(option.info->id));
  control.widget->setAccessibleName(message_text(option.info->title));
  control.widget->setToolTip(QStringLiteral("<p>%1</p>").arg(message_text(option.info->help).toHtmlEscaped()));
  control.show();
  return control;
}

OptionForm::OptionForm(const CompareOptions& options, QWidget* parent)
    : QWidget(parent), options_(options), problem_(named("option-problem", wrapping())) {
  const auto section = [this](const QString& title, Uses with, Uses without, bool advanced, QBoxLayout* into) {
    auto* group = new QGroupBox(title);
    auto* form = new QFormLayout(group);
    for (const BoundOption& option : options_of(options_, use::kCompare)) {
      if ((option.info->uses & with) == 0 || (option.info->uses & without) != 0) continue;
      if (option.info->advanced != advanced) continue;
      const OptionControl& control = controls_.emplace_back(make_option_control(option, [this] { settleAndShow(); }));
      form->addRow(message_text(option.info->title), control.widget);
    }
    into->addWidget(group);
    return group;
  };
  auto* left = new QVBoxLayout;
  auto* right = new QVBoxLayout;
  auto* columns = put_into(new QHBoxLayout, {left, right});
  section(tr("Search"), use::kSearch, 0, false, left);
  timing_ = section(tr("Timing, on devices that measure"), use::kMeasureStages, 0, false, right);
  section(tr("Schedules"), use::kCompare, use::kSearch | use::kMeasureStages, false, right);
  auto* fold = named("option-advanced", new QToolButton);
  fold->setText(tr("Advanced"));
  fold->setCheckable(true);
  fold->setAutoRaise(true);
  fold->setFocusPolicy(Qt::TabFocus);
  fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  left->addWidget(fold);
  QWidget* const advanced = section({}, use::kCompare, 0, true, left);
  const auto unfold = [fold, advanced](bool open) {
    fold->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    advanced->setVisible(open);
  };
  connect(fold, &QToolButton::toggled, this, unfold);
  unfold(false);
  left->addStretch();
  right->addStretch();
  put_into(flush(new QVBoxLayout(this)), {columns, problem_});
  settleAndShow();
}

void OptionForm::show(const CompareOptions& options) {
  options_ = options;
  settleAndShow();
}

void OptionForm::setDevice(const DeviceInfo* device) {
  timing_->setEnabled(device == nullptr || device->origin == Origin::kMeasured);
  for (const OptionControl& control : controls_) {
    if (control.option.info == &info_of(&CompareOptions::verify)) {
      control.widget->setEnabled(device != nullptr && device->computes);
    }
  }
}

void OptionForm::settleAndShow() {
  const auto settled = settle(options_);
  valid_ = settled.has_value();
  problem_->setText(settled ? QString() : error_text(settled.error()));
  problem_->setVisible(!valid_);
  for (const OptionControl& control : controls_) control.show();
  emit edited();
}

}  // namespace iosx

#include "moc_option_form.cpp"
