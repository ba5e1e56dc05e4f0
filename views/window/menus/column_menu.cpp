#include "views/window/menus/column_menu.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QPointer>
#include <filesystem>
#include <utility>

#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/canvas/graph_view.h"
#include "views/compare/canvas_pair.h"
#include "views/text/qstring.h"
#include "views/window/base/settings.h"
#include "views/window/base/toasts.h"

namespace iosx {

ColumnMenu::ColumnMenu(Session& session, Jobs& jobs, Settings& settings, GraphView& graph, const CanvasPair& compared,
                       const Actions& actions, Toasts& messages, QWidget* window)
    : QObject(window),
      session_(session),
      jobs_(jobs),
      settings_(settings),
      graph_(graph),
      compared_(compared),
      actions_(actions),
      messages_(messages),
      window_(window) {
  connect(actions.colour_by_column, &QAction::triggered, this, &ColumnMenu::ask);
}

void ColumnMenu::ask() {
  const QString path = QFileDialog::getOpenFileName(window_, tr("A table of values by node name"), settings_.folder(),
                                                    tr("Tables (*.csv *.tsv *.txt *.json);;All files (*)"));
  if (!path.isEmpty()) read(path);
}

void ColumnMenu::read(const QString& path) {
  if (!session_.hasDocument()) return;
  if (QFileInfo(path).isFile()) settings_.setFolderOf(path);
  const auto work = [session = &session_, menu = QPointer<ColumnMenu>(this), file = path.toStdString(),
                     network = session_.networkId(), graph = session_.document().graph](
                        const JobContext& job, const std::stop_token&) -> Result<JobRunner::Delivery> {
    job.report(message("reading"), 0, 0);
    auto table = read_value_table(std::filesystem::path(file));
    if (job.stopped()) return JobRunner::Delivery{};
    if (!table) return tl::unexpected<Error>(table.error());
    auto read = std::make_shared<ReadTable>(ReadTable{file, graph, std::move(*table), {}});
    read->matches = match_names(read->table.names, *graph);
    return JobRunner::Delivery{[session, menu, network, read] {
      const WorkspaceNetwork* now = session->workspace().find(network);
      if (now == nullptr || now->document.graph != read->graph || !menu) return;  // removed or changed meanwhile
      if (read->table.columns.size() > 1) return menu->choose(network, read);
      menu->show(network, read, column_of(*read, 0, join_of(read->table.columns.front().title)));
    }};
  };
  jobs_.readBeside(tr("Reading %1").arg(shown_name(QFileInfo(path).fileName().toStdString())), work);
}

void ColumnMenu::choose(NetworkId network, const std::shared_ptr<const ReadTable>& read) {
  auto* dialog = new ColumnDialog(read, window_);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog, network, read] { show(network, read, dialog->chosen()); });
  dialog->open();
}

void ColumnMenu::show(NetworkId network, const std::shared_ptr<const ReadTable>& read, MatchedColumn made) {
  const WorkspaceNetwork* now = session_.workspace().find(network);
  if (now == nullptr || now->document.graph != read->graph) return;
  const QString said = tally_text(made.tally, *read);
  if (made.tally.units == 0) return messages_.showError(said);
  session_.setColumn(network, std::make_shared<const UnitColumn>(std::move(made.column)));
  if (session_.networkId() == network) {
    bool beside = false;  // on the page that compares
    for (GraphView* const canvas : {compared_.canvasA(), compared_.canvasB()}) {
      if (!actions_.modeAction(Mode::kCompare)->isChecked() || canvas->columnTitle().isEmpty()) continue;
      canvas->setOverlay(canvas::Overlay::kColumn);
      beside = true;
    }
    if (!beside) actions_.modeAction(Mode::kExplore)->trigger();
    graph_.setOverlay(canvas::Overlay::kColumn);
  }
  messages_.showNote(said, {tr("Change…"), [this, network, read] { choose(network, read); }});
}

}  // namespace iosx

#include "moc_column_menu.cpp"
