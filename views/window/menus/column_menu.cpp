#include "views/window/menus/column_menu.h"

#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QPointer>
#include <QStringList>
#include <algorithm>
#include <filesystem>
#include <utility>

#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/canvas/graph_view.h"
#include "views/compare/canvas_pair.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"
#include "views/window/base/settings.h"
#include "views/window/base/toasts.h"

namespace iosx {
namespace {

constexpr int kColumnDialogWidth = 460;
constexpr qsizetype kMostColumnTitle = 60;  // letters

QString column_title(const std::string& title) {
  const QString shown = shown_name(title);
  return shown.size() <= kMostColumnTitle ? shown : shown.left(kMostColumnTitle) + QChar(0x2026);
}

}  // namespace

MatchedColumn column_of(const ReadTable& read, std::size_t column, ColumnJoin join) {
  MatchedColumn made = column_of_units(read.table, column, join, read.matches, *read.graph);
  made.column.file = read.file;
  return made;
}

QString tally_text(const ColumnTally& tally, const ReadTable& read) {
  QStringList lines;
  for (const Message& sentence : tally_sentences(tally, read.file, *read.graph)) {
    lines << message_sentence(sentence) + QLatin1Char('.');
  }
  return lines.join(QLatin1Char('\n'));
}

ColumnDialog::ColumnDialog(std::shared_ptr<const ReadTable> read, QWidget* parent)
    : QDialog(parent),
      read_(std::move(read)),
      column_(named("column", new QComboBox, tr("Column"))),
      join_(named("join", new QComboBox, tr("A unit of several operators"))),
      found_(named("found", wrapping({}, Qt::PlainText))) {
  setWindowTitle(tr("Colour by my column"));
  setMinimumWidth(kColumnDialogWidth);
  auto* note = wrapping(tr("Which column of %1 should colour the graph?")
                            .arg(column_title(QFileInfo(QString::fromStdString(read_->file)).fileName().toStdString())),
                        Qt::PlainText);
  for (const ValueColumn& column : read_->table.columns) column_->addItem(column_title(column.title));
  join_->addItem(tr("their values add up"));
  join_->addItem(tr("the value farthest from 0 counts"));
  join_->setToolTip(tr("Bytes, energy and times add up; an error, a share or a temperature does not"));
  auto* form = new QFormLayout;
  form->addRow(tr("&Column"), column_);
  form->addRow(tr("&Of a unit's operators"), join_);
  auto* buttons = answers(this, QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  connect(column_, &QComboBox::currentIndexChanged, this, &ColumnDialog::guessJoin);
  connect(join_, &QComboBox::currentIndexChanged, this, &ColumnDialog::tell);
  put_into(new QVBoxLayout(this), {note, form, {found_, 1}, buttons});
  guessJoin();
}

void ColumnDialog::guessJoin() {
  const ColumnJoin join = join_of(read_->table.columns[static_cast<std::size_t>(column_->currentIndex())].title);
  join_->setCurrentIndex(static_cast<int>(join));
  tell();
}

void ColumnDialog::tell() { found_->setText(tally_text(chosen().tally, *read_)); }

MatchedColumn ColumnDialog::chosen() const {
  return column_of(*read_, static_cast<std::size_t>(std::max(0, column_->currentIndex())),
                   kColumnJoins.at(static_cast<std::size_t>(std::max(0, join_->currentIndex()))));
}

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
  open_dialog(dialog, this, [this, dialog, network, read] { show(network, read, dialog->chosen()); });
}

void ColumnMenu::show(NetworkId network, const std::shared_ptr<const ReadTable>& read, MatchedColumn made) {
  const WorkspaceNetwork* now = context_.session.workspace().find(network);
  if (now == nullptr || now->document.graph != read->graph) return;
  const QString said = tally_text(made.tally, *read);
  if (made.tally.units == 0) return context_.messages.showError(said);
  context_.session.editor().setColumn(network, std::make_shared<const UnitColumn>(std::move(made.column)));
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
