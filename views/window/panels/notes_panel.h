#pragma once

#include <QWidget>

class QPlainTextEdit;
class QToolButton;

namespace iosx {

class Session;

// Shows the user's notes about the whole project, as plain text; folded until there are some.
class NotesPanel final : public QWidget {
  Q_OBJECT

 public:
  // The session must outlive the widget.
  explicit NotesPanel(Session& session, QWidget* parent = nullptr);

 private:
  void showNotes();  // session → text
  void unfold(bool unfolded);

  Session& session_;
  QToolButton* fold_;
  QPlainTextEdit* text_;
};

}  // namespace iosx
