#pragma once

#include <QBoxLayout>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QString>
#include <initializer_list>
#include <utility>

class QPushButton;
class QToolButton;

// Makes the parts that dialogs and panels share: names, rows of widgets, labels, buttons.
namespace iosx {

// Gives a widget its name for tests and style sheets, and one for assistive technology; labels need no second name.
template <typename Widget>
Widget* named(const char* name, Widget* widget, const QString& accessible_name = {}) {
  widget->setObjectName(QString::fromLatin1(name));
  if (!accessible_name.isEmpty()) widget->setAccessibleName(accessible_name);
  return widget;
}

// Stands for free room in a row or a column.
struct FreeRoom {
  int stretch = 0;
};

// An item of a row or a column, with its share of the free room.
struct LayoutItem {
  LayoutItem(QWidget* what, int share = 0) : widget(what), stretch(share) {}
  LayoutItem(QLayout* what, int share = 0) : layout(what), stretch(share) {}
  LayoutItem(FreeRoom room) : stretch(room.stretch) {}

  QWidget* widget = nullptr;
  QLayout* layout = nullptr;  // neither: free room
  int stretch = 0;
};

void add_items(QBoxLayout& layout, std::initializer_list<LayoutItem> items);

// Adds the items in their order and returns the layout.
template <typename Layout>
Layout* put_into(Layout* layout, std::initializer_list<LayoutItem> items) {
  add_items(*layout, items);
  return layout;
}

// Sets the margins of a layout and returns it. Without a spacing in pixels the style chooses one.
template <typename Layout>
Layout* inset(Layout* layout, const QMargins& margins, int spacing = -1) {
  layout->setContentsMargins(margins);
  layout->setSpacing(spacing);
  return layout;
}

// Likewise without margins.
template <typename Layout>
Layout* flush(Layout* layout, int spacing = -1) {
  return inset(layout, {}, spacing);
}

// Returns a label that breaks its text into lines.
QLabel* wrapping(const QString& text = {}, Qt::TextFormat format = Qt::AutoText);
// Returns a label of plain text that can be copied, at least this many lines high.
QLabel* selectable(const QString& text = {}, int lines = 0);

// Returns a flat button of a bar; a click leaves the keyboard where it is.
QToolButton* bar_button(const QString& text, const QString& tip, QWidget* parent = nullptr);

// Opens a dialog that is deleted when it closes; `take` is called once it is accepted.
template <typename Take>
void open_dialog(QDialog* dialog, QObject* receiver, Take take) {
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  QObject::connect(dialog, &QDialog::accepted, receiver, std::move(take));
  dialog->open();
}

// Makes the buttons that accept or reject a dialog.
QDialogButtonBox* answers(QDialog* dialog, QDialogButtonBox::StandardButtons buttons);
// Adds the button that accepts and that Return presses.
QPushButton* add_go_button(QDialogButtonBox* buttons, const QString& text, const char* name);

}  // namespace iosx
