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

ColumnMenu::ColumnMenu(const WindowContext& context, GraphView& graph, const CanvasPair& compared)
    : QObject(context.window), context_(context), graph_(graph), compared_(compared) {}

void ColumnMenu::ask() {
  const QString path =
      QFileDialog::getOpenFileName(context_.window, tr("A table of values by node name"), context_.settings.folder(),
                                   tr("Tables (*.csv *.tsv *.txt *.json);;All files (*)"));
  if (!path.isEmpty()) read(path);
}

void ColumnMenu::read(const QString& path) {
  if (!context_.session.hasDocument()) return;
  if (QFileInfo(path).isFile()) context_.settings.setFolderOf(path);
  const auto work = [session = &context_.session, menu = QPointer<ColumnMenu>(this), file = path.toStdString(),
                     network = context_.session.networkId(), graph = context_.session.document().graph](
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
  context_.jobs.readBeside(tr("Reading %1").arg(shown_name(QFileInfo(path).fileName().toStdString())), work);
}

void ColumnMenu::choose(NetworkId network, const std::shared_ptr<const ReadTable>& read) {
  auto* dialog = new ColumnDialog(read, context_.window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog, network, read] { show(network, read, dialog->chosen()); });
  dialog->open();
}

void ColumnMenu::show(NetworkId network, const std::shared_ptr<const ReadTable>& read, MatchedColumn made) {
  const WorkspaceNetwork* now = context_.session.workspace().find(network);
  if (now == nullptr || now->document.graph != read->graph) return;
  const QString said = tally_text(made.tally, *read);
  if (made.tally.units == 0) return context_.messages.showError(said);
  context_.session.setColumn(network, std::make_shared<const UnitColumn>(std::move(made.column)));
  if (context_.session.networkId() == network) {
    bool beside = false;  // on the page that compares
    for (GraphView* const canvas : {compared_.canvasA(), compared_.canvasB()}) {
      if (!context_.actions["mode-compare"]->isChecked() || canvas->columnTitle().isEmpty()) continue;
      canvas->setOverlay(canvas::Overlay::kColumn);
      beside = true;
    }
    if (!beside) context_.actions["mode-explore"]->trigger();
    graph_.setOverlay(canvas::Overlay::kColumn);
  }
  context_.messages.showNote(said, {tr("Change…"), [this, network, read] { choose(network, read); }});
}

}  // namespace iosx

#include "moc_column_menu.cpp"
