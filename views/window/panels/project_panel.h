#pragma once

#include <QPersistentModelIndex>
#include <QWidget>

#include "core/base/progress.h"
#include "core/documents/project/workspace.h"
#include "views/style/theme.h"

class QMenu;
class QPlainTextEdit;
class QToolButton;
class QTreeView;

namespace iosx {

struct ComparedChoices;
class Jobs;
class ProjectModel;
class Session;
class WorkspaceEditor;

// Shows the user's notes about the whole project, as plain text: they are folded away until there are some.
class NotesPanel final : public QWidget {
  Q_OBJECT

 public:
  // The editor must outlive the widget.
  explicit NotesPanel(WorkspaceEditor& editor, QWidget* parent = nullptr);

 private:
  void showNotes();  // workspace → text
  void unfold(bool unfolded);

  WorkspaceEditor& editor_;
  QToolButton* fold_;
  QPlainTextEdit* text_;
};

// Lists the open networks, their runs, and the schedules of each, and recordings. The current row is shown in the
// views. The tree is above the user's notes.
class ProjectPanel final : public QWidget {
  Q_OBJECT

 public:
  ProjectPanel(Session& session, Jobs& jobs, QWidget* parent = nullptr);

  QWidget* tree() const;  // networks, runs and schedules
  // Schedules have boxes to pick them for the comparison of runs, which are ticked for those that it shows.
  void setPicking(bool picking);
  void setCompared(const ComparedChoices& compared);
  QSize sizeHint() const override { return {260, 560}; }

 signals:
  void picked(const iosx::Choice& choice, bool picked);  // its box was changed
  void copyAsked(const iosx::Choice& choice);            // to edit it by hand
  void compareAsked();                                   // the picked schedules
  void matchesAsked(iosx::ExternalId external);          // how it was matched to the network

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void refresh();
  void showPending();
  void showProgress(const Progress& progress);
  void unfoldPending();
  void showCurrent();
  void reveal();
  void activate(const QModelIndex& index);
  void span();
  void showMenu(const QPoint& at);
  void fillRunMenu(QMenu& menu, const QModelIndex& index);
  void fillNetworkMenu(QMenu& menu, NetworkId network);

  Session& session_;
  Jobs& jobs_;
  ProjectModel* model_;
  QTreeView* tree_;
  NotesPanel* notes_;
  QPersistentModelIndex unfolded_;  // of the run in progress, once
  bool refreshing_ = false;         // rows change: not the user's choice
};

}  // namespace iosx
