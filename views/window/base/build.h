#pragma once

#include <QBoxLayout>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QString>
#include <initializer_list>
#include <utility>

class QPushButton;

// Short forms of what dialogs and panels are built of.
namespace iosx {

// Gives a widget its name for tests and style sheets, and the one for assistive technology, which
// texts have without.
template <typename Widget>
Widget* named(const char* name, Widget* widget, const QString& accessible_name = {}) {
  widget->setObjectName(QString::fromLatin1(name));
  if (!accessible_name.isEmpty()) widget->setAccessibleName(accessible_name);
  return widget;
}

// Free room in a row or a column.
struct FreeRoom {
  int stretch = 0;
};

// What stands in a row or a column, with its share of the room that is left.
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

// Takes the margins off a layout and returns it. The style chooses the spacing, unless it is given in
// pixels.
template <typename Layout>
Layout* flush(Layout* layout, int spacing = -1) {
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(spacing);
  return layout;
}

// Returns a text in as many lines as its width needs.
QLabel* wrapping(const QString& text = {}, Qt::TextFormat format = Qt::AutoText);
// Returns one of plain text that can be copied, at least as high as these lines.
QLabel* selectable(const QString& text = {}, int lines = 0);

// Opens a dialog that is deleted when it closes; `take` is called once it is accepted.
template <typename Take>
void open_dialog(QDialog* dialog, QObject* receiver, Take take) {
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  QObject::connect(dialog, &QDialog::accepted, receiver, std::move(take));
  dialog->open();
}

// Makes the buttons of a dialog, which accept or reject it.
QDialogButtonBox* answers(QDialog* dialog, QDialogButtonBox::StandardButtons buttons);
// Adds the button that accepts and that Return presses.
QPushButton* add_go_button(QDialogButtonBox* buttons, const QString& text, const char* name);

}  // namespace iosx
