#include "views/widgets/dialog_parts.h"

#include <QPushButton>
#include <QToolButton>

#include "views/style/theme.h"

namespace iosx {

void add_items(QBoxLayout& layout, std::initializer_list<LayoutItem> items) {
  for (const LayoutItem& item : items) {
    if (item.widget != nullptr) {
      layout.addWidget(item.widget, item.stretch);
    } else if (item.layout != nullptr) {
      layout.addLayout(item.layout, item.stretch);
    } else {
      layout.addStretch(item.stretch);
    }
  }
}

QLabel* wrapping(const QString& text, Qt::TextFormat format) {
  auto* label = new QLabel;
  label->setTextFormat(format);
  label->setText(text);
  label->setWordWrap(true);
  return label;
}

QLabel* selectable(const QString& text, int lines) {
  QLabel* label = wrapping(text, Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  if (lines == 0) return label;
  label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
  label->setMinimumHeight(lines * label->fontMetrics().lineSpacing());
  return label;
}

QToolButton* bar_button(const QString& text, const QString& tip, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setText(text);
  button->setToolTip(tip);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

QDialogButtonBox* answers(QDialog* dialog, QDialogButtonBox::StandardButtons buttons) {
  auto* box = new QDialogButtonBox(buttons);
  QObject::connect(box, &QDialogButtonBox::accepted, dialog, &QDialog::accept);
  QObject::connect(box, &QDialogButtonBox::rejected, dialog, &QDialog::reject);
  return box;
}

QPushButton* add_go_button(QDialogButtonBox* buttons, const QString& text, const char* name) {
  QPushButton* button = named(name, buttons->addButton(text, QDialogButtonBox::AcceptRole));
  button->setProperty(kAccent, "go");
  button->setDefault(true);
  return button;
}

}  // namespace iosx
