#include "views/window/panels/notes_panel.h"

#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include "views/app_model/session.h"

namespace iosx {
namespace {

constexpr int kNoteLines = 5;  // in sight

}  // namespace

NotesPanel::NotesPanel(Session& session, QWidget* parent)
    : QWidget(parent), session_(session), fold_(new QToolButton), text_(new QPlainTextEdit) {
  setObjectName(QStringLiteral("notes"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(fold_);
  column->addWidget(text_);
  fold_->setObjectName(QStringLiteral("notes-fold"));
  fold_->setText(tr("Notes"));
  fold_->setToolTip(tr("What you want to remember about this project; it is saved with it"));
  fold_->setCheckable(true);
  fold_->setAutoRaise(true);
  fold_->setFocusPolicy(Qt::TabFocus);
  fold_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  fold_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  text_->setObjectName(QStringLiteral("notes-text"));
  text_->setAccessibleName(tr("Notes about the project"));
  text_->setPlaceholderText(tr("What was tried, and what came of it"));
  text_->setTabChangesFocus(true);
  text_->setFrameShape(QFrame::NoFrame);
  text_->setFixedHeight(kNoteLines * text_->fontMetrics().lineSpacing() + 12);
  connect(fold_, &QToolButton::toggled, this, &NotesPanel::unfold);
  connect(fold_, &QToolButton::clicked, this, [this](bool unfolded) {
    if (unfolded) text_->setFocus();
  });
  connect(text_, &QPlainTextEdit::textChanged, this, [this] { session_.setNotes(text_->toPlainText()); });
  connect(&session_, &Session::notesChanged, this, &NotesPanel::showNotes);
  connect(&session_, &Session::projectOpened, this, &NotesPanel::showNotes);
  unfold(false);
  showNotes();
}

void NotesPanel::unfold(bool unfolded) {
  fold_->setChecked(unfolded);
  fold_->setArrowType(unfolded ? Qt::DownArrow : Qt::RightArrow);
  text_->setVisible(unfolded);
}

void NotesPanel::showNotes() {
  const QString notes = QString::fromStdString(session_.workspace().notes());
  if (notes == text_->toPlainText()) return;  // it was typed here
  {
    const QSignalBlocker quiet(text_);  // what it makes of ends of lines is no change of the user's
    text_->setPlainText(notes);
  }
  if (!notes.isEmpty()) unfold(true);
}

}  // namespace iosx

#include "moc_notes_panel.cpp"
