#include "views/window/panels/project_panel.h"

#include <QHeaderView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QResizeEvent>
#include <QSignalBlocker>
#include <QToolButton>
#include <QTreeView>
#include <utility>

#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/tables/project_model.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"

namespace iosx {
namespace {

constexpr int kNoteLines = 5;  // in sight

constexpr int kLabelWidth = 300;  // pixels, in a menu
constexpr int kLeastTree = 60;    // pixels: the header and a row or two, where the window is low

}  // namespace

NotesPanel::NotesPanel(WorkspaceEditor& editor, QWidget* parent)
    : QWidget(parent),
      editor_(editor),
      fold_(named("notes-fold", new QToolButton)),
      text_(named("notes-text", new QPlainTextEdit, tr("Notes about the project"))) {
  setObjectName(QStringLiteral("notes"));
  put_into(flush(new QVBoxLayout(this), 0), {fold_, text_});
  fold_->setText(tr("Notes"));
  fold_->setToolTip(tr("Your notes about this project; they are saved with it"));
  fold_->setCheckable(true);
  fold_->setAutoRaise(true);
  fold_->setFocusPolicy(Qt::TabFocus);
  fold_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  fold_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  text_->setPlaceholderText(tr("Experiments and their results"));
  text_->setTabChangesFocus(true);
  text_->setFrameShape(QFrame::NoFrame);
  text_->setFixedHeight(kNoteLines * text_->fontMetrics().lineSpacing() + 12);
  connect(fold_, &QToolButton::toggled, this, &NotesPanel::unfold);
  connect(fold_, &QToolButton::clicked, this, [this](bool unfolded) {
    if (unfolded) text_->setFocus();
  });
  connect(text_, &QPlainTextEdit::textChanged, this, [this] { editor_.setNotes(text_->toPlainText()); });
  connect(&editor_, &WorkspaceEditor::notesChanged, this, &NotesPanel::showNotes);
  connect(&editor_, &WorkspaceEditor::projectOpened, this, &NotesPanel::showNotes);
  unfold(false);
  showNotes();
}

void NotesPanel::unfold(bool unfolded) {
  fold_->setChecked(unfolded);
  fold_->setArrowType(unfolded ? Qt::DownArrow : Qt::RightArrow);
  text_->setVisible(unfolded);
}

void NotesPanel::showNotes() {
  const QString notes = QString::fromStdString(editor_.workspace().notes());
  if (notes == text_->toPlainText()) return;  // it was typed here
  {
    const QSignalBlocker quiet(text_);  // what it makes of ends of lines is no change of the user's
    text_->setPlainText(notes);
  }
  if (!notes.isEmpty()) unfold(true);
}

ProjectPanel::ProjectPanel(Session& session, Jobs& jobs, QWidget* parent)
    : QWidget(parent),
      session_(session),
      jobs_(jobs),
      model_(new ProjectModel(this)),
      tree_(named("project-tree", new QTreeView, tr("Networks, runs, schedules and recordings"))),
      notes_(new NotesPanel(session.editor())) {
  auto* column = flush(new QVBoxLayout(this), 0);
  put_into(column, {{tree_, 1}, notes_});
  tree_->setModel(model_);
  tree_->setUniformRowHeights(true);
  tree_->setIndentation(9);
  tree_->setIconSize(QSize(10, 10));  // of the swatches
  tree_->setTextElideMode(Qt::ElideRight);
  tree_->setContextMenuPolicy(Qt::CustomContextMenu);
  tree_->setEditTriggers(QAbstractItemView::EditKeyPressed);
  tree_->header()->setStretchLastSection(false);
  tree_->setMinimumHeight(kLeastTree);
  tree_->viewport()->installEventFilter(this);
  tree_->header()->setMinimumSectionSize(44);  // pixels: of titles over empty columns
  tree_->header()->setSectionResizeMode(ProjectModel::kName, QHeaderView::Stretch);
  tree_->header()->setSectionResizeMode(ProjectModel::kLatency, QHeaderView::ResizeToContents);
  tree_->header()->setSectionResizeMode(ProjectModel::kSpeedUp, QHeaderView::ResizeToContents);
  connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this, &ProjectPanel::activate);
  connect(tree_, &QWidget::customContextMenuRequested, this, &ProjectPanel::showMenu);
  connect(model_, &ProjectModel::picked, this, &ProjectPanel::picked);
  connect(model_, &ProjectModel::noted, &session_.editor(), &WorkspaceEditor::setNote);
  connect(&session_, &Session::workspaceChanged, this, &ProjectPanel::refresh);
  connect(&session_, &Session::comparisonChanged, this, &ProjectPanel::showCurrent);
  connect(&session_, &Session::activeScheduleChanged, this, &ProjectPanel::showCurrent);
  connect(&session_, &Session::recordingChanged, this, &ProjectPanel::showCurrent);
  connect(&jobs_, &Jobs::searchingChanged, this, &ProjectPanel::showPending);
  connect(&jobs_, &Jobs::started, this, &ProjectPanel::showPending);
  connect(&jobs_, &Jobs::progressed, this, &ProjectPanel::showProgress);
  connect(&jobs_, &Jobs::finished, this, &ProjectPanel::showPending);
  refresh();
  follow_theme(this, [this](const Theme& theme) { model_->setTheme(theme); });
}

QWidget* ProjectPanel::tree() const { return tree_; }

void ProjectPanel::setPicking(bool picking) { model_->setPicking(picking); }

void ProjectPanel::setCompared(const ComparedChoices& compared) { model_->setCompared(compared); }

void ProjectPanel::refresh() {
  refreshing_ = true;
  model_->setWorkspace(session_.workspace());
  span();
  unfoldPending();
  refreshing_ = false;
  showCurrent();
}

void ProjectPanel::showPending() {
  std::optional<ProjectModel::Pending> pending;
  if (const auto job = jobs_.runner().running(); job != 0 && jobs_.networkOf(job).valid()) {
    pending = {jobs_.networkOf(job), jobs_.runner().title(), jobs_.searching()};
  }
  refreshing_ = true;
  if (!pending) model_->setProgress({});
  model_->setPending(std::move(pending));
  span();
  unfoldPending();
  refreshing_ = false;
}

void ProjectPanel::showProgress(const Progress& progress) {
  if (progress.total <= 0) return model_->setProgress({});
  model_->setProgress(
      static_cast<int>(100.0 * static_cast<double>(progress.done) / static_cast<double>(progress.total)));
}

// Results unfold by themselves; only the user folds them again.
void ProjectPanel::unfoldPending() {
  const QModelIndex pending = model_->pendingIndex();
  if (!pending.isValid() || pending == unfolded_ || model_->rowCount(pending) == 0) return;
  tree_->expand(pending.parent());
  tree_->expand(pending);
  unfolded_ = pending;
}

// Networks and runs take the whole row.
void ProjectPanel::span() {
  for (int network = 0; network < model_->rowCount(); ++network) {
    tree_->setFirstColumnSpanned(network, {}, true);
    const QModelIndex top = model_->index(network, 0);
    for (int run = 0; run < model_->rowCount(top); ++run) tree_->setFirstColumnSpanned(run, top, true);
  }
}

void ProjectPanel::showCurrent() {
  const auto comparison = session_.comparison();
  QModelIndex current =
      session_.recordingId().valid() ? model_->indexOf(session_.recordingId())
      : comparison ? model_->indexOf(Choice{session_.runId(), comparison->results[session_.activeSchedule()].id})
                   : model_->indexOf(session_.networkId());
  refreshing_ = true;
  model_->setShown(session_.workspace().shown());
  tree_->setCurrentIndex(current);
  for (; current.isValid(); current = current.parent()) tree_->expand(current);
  refreshing_ = false;
  reveal();
}

// Shows the current row, and the shown run from its beginning where all of that fits. What is folded stays so, which
// scrollTo() would unfold.
void ProjectPanel::reveal() {
  const QModelIndex current = tree_->currentIndex();
  for (QModelIndex above = current.parent(); above.isValid(); above = above.parent()) {
    if (!tree_->isExpanded(above)) return;
  }
  const QModelIndex run = model_->indexOf(session_.runId());
  if (run.isValid() && tree_->isExpanded(run.parent())) tree_->scrollTo(run);
  tree_->scrollTo(current);
}

bool ProjectPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) {
    const auto* resize = static_cast<QResizeEvent*>(event);
    // A scroll bar that comes or goes is none of the height. The tree has its new one only afterwards.
    if (resize->size().height() != resize->oldSize().height()) {
      QMetaObject::invokeMethod(this, &ProjectPanel::reveal, Qt::QueuedConnection);
    }
  }
  return QWidget::eventFilter(watched, event);
}

void ProjectPanel::activate(const QModelIndex& index) {
  if (refreshing_ || !index.isValid()) return;
  const ProjectModel::Row row = model_->row(index);
  switch (row.kind) {
    case ProjectModel::Kind::kNetwork: return session_.showNetwork(row.network);
    case ProjectModel::Kind::kRun: return session_.showRun(row.run);
    case ProjectModel::Kind::kSchedule: return session_.showSchedule(*model_->choice(index));
    case ProjectModel::Kind::kRecording: return session_.showRecording(row.recording);
    case ProjectModel::Kind::kPending:
    case ProjectModel::Kind::kFound: return;
  }
}

void ProjectPanel::fillRunMenu(QMenu& menu, const QModelIndex& index) {
  const RunId run = model_->row(index).run;
  if (session_.workspace().find(run)->growing) menu.addAction(tr("&Cancel"), this, [this] { jobs_.cancel(); });
  menu.addAction(tr("&Note…"), this, [this, run] { tree_->edit(model_->indexOf(run)); });
  menu.addAction(tr("Use its &settings"), this, [this, run] { session_.useSettingsOf(run); })
      ->setToolTip(tr("Set device, batch and search of the tool bar to those of this run"));
  menu.addAction(tr("&Compare all"), this, [this, run] {
    for (const ScheduleResult& result : session_.workspace().find(run)->run->comparison.results) {
      session_.editor().setCompared({run, result.id}, true);
    }
    emit compareAsked();
  });
  menu.addSeparator();
  menu.addAction(tr("&Remove run"), this, [this, run] { session_.editor().remove(run); });
}

// External runs without a latency have no bar, whose menu could remove them.
void ProjectPanel::fillNetworkMenu(QMenu& menu, NetworkId network) {
  for (const WorkspaceExternal* external : session_.workspace().external_of(network)) {
    const QString name = menu.fontMetrics().elidedText(shown_name(external->run->label), Qt::ElideMiddle, kLabelWidth);
    if (!external->run->entries.empty()) {
      menu.addAction(tr("&Matches of %1…").arg(menu_text(name)), this,
                     [this, id = external->id] { emit matchesAsked(id); });
    }
    menu.addAction(tr("&Remove %1").arg(menu_text(name)), this,
                   [this, id = external->id] { session_.editor().remove(id); });
  }
  if (!menu.isEmpty()) menu.addSeparator();
  menu.addAction(tr("&Close network"), this, [this, network] { session_.editor().remove(network); });
}

void ProjectPanel::showMenu(const QPoint& at) {
  const QModelIndex index = tree_->indexAt(at);
  if (!index.isValid()) return;
  QMenu menu;
  const ProjectModel::Row row = model_->row(index);
  switch (row.kind) {
    case ProjectModel::Kind::kNetwork: fillNetworkMenu(menu, row.network); break;
    case ProjectModel::Kind::kRun: fillRunMenu(menu, index); break;
    case ProjectModel::Kind::kSchedule: {
      const Choice choice = *model_->choice(index);
      menu.addAction(tr("&Edit a copy"), this, [this, choice] { emit copyAsked(choice); });
      const bool baseline = session_.workspace().baseline() == choice;
      if (baseline) {
        menu.addAction(tr("No &baseline"), this, [this] { session_.editor().setBaseline({}); });
      } else {
        menu.addAction(tr("Make it the &baseline"), this, [this, choice] { session_.editor().setBaseline(choice); });
      }
      menu.addAction(tr("&Compare with…"), this, [this, choice] {
        session_.editor().setCompared(choice, true);
        emit compareAsked();
      });
      break;
    }
    case ProjectModel::Kind::kRecording:
      menu.addAction(tr("&Close recording"), this, [this, id = row.recording] { session_.editor().remove(id); });
      break;
    case ProjectModel::Kind::kPending: menu.addAction(tr("&Cancel"), this, [this] { jobs_.cancel(); }); break;
    case ProjectModel::Kind::kFound: return;
  }
  menu.exec(tree_->viewport()->mapToGlobal(at));
}

}  // namespace iosx

#include "moc_project_panel.cpp"
