#include "views/window/menus/external_menu.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QPointer>
#include <QStringList>
#include <algorithm>
#include <memory>
#include <utility>

#include "core/formats/external/match.h"
#include "core/formats/external/read_external.h"
#include "core/formats/external/unit_column.h"
#include "views/app_model/jobs.h"
#include "views/app_model/selection.h"
#include "views/app_model/session.h"
#include "views/canvas/graph_view.h"
#include "views/compare/comparison_data.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/window/base/settings.h"
#include "views/window/base/toasts.h"
#include "views/window/menus/match_window.h"

namespace iosx {
namespace {

constexpr auto kMostTold = std::size_t{3};  // runs of one file
constexpr qsizetype kMostLetters = 80;      // of a label
constexpr double kAllButRounding = 0.9999;  // a share that is all

// Writes "TensorRT: 2.31 ms, recorded by Nsight Systems. 93 % of its time is matched to operators."
QString sentence_of(const ExternalRun& run, const Graph& graph) {
  QString label = shown_name(run.label);
  if (label.size() > kMostLetters) label = label.left(kMostLetters) + QStringLiteral("…");
  const QString what = run.latency.value > Millis(0) ? latency_text(run.latency) : ExternalMenu::tr("no latency");
  QString text = ExternalMenu::tr("%1: %2, %3.").arg(label, what, recorded_text(run));
  if (run.entries.empty()) return text;
  const double share = run.matched_share();
  text += QLatin1Char(' ');
  text +=
      share > 0
          ? ExternalMenu::tr("%1 of its time is matched to operators.").arg(percent_text(share))
          : ExternalMenu::tr("It contains no operator of %1: is it of another network?").arg(shown_name(graph.name()));
  if (const auto piece = piece_of(run, graph)) {
    text += QLatin1Char(' ');
    text += ExternalMenu::tr("It has %1 of %2 operators, so its latency is not compared.")
                .arg(piece->recorded)
                .arg(piece->of);
  }
  return text;
}

}  // namespace

ExternalMenu::ExternalMenu(const WindowContext& context, SelectionModel& selection, GraphView& graph)
    : QObject(context.window), context_(context), selection_(selection), graph_(graph) {}

void ExternalMenu::ask() {
  const QStringList paths = QFileDialog::getOpenFileNames(
      context_.window, tr("Add an external run"), context_.settings.folder(),
      tr("Tables, traces and profiles (*.csv *.tsv *.json *.sqlite *.db);;All files (*)"));
  for (const QString& path : paths) add(path);
}

void ExternalMenu::add(const QString& path) {
  const QString name = shown_name(QFileInfo(path).fileName().toStdString());
  if (!context_.session.hasDocument()) {
    context_.messages.showError(
        tr("%1 is a recording of another program. First open the network that it ran.").arg(name));
    return;
  }
  if (QFileInfo(path).isFile()) context_.settings.setFolderOf(path);
  const auto work = [session = &context_.session, menu = QPointer<ExternalMenu>(this), file = path.toStdString(),
                     network = context_.session.networkId(), graph = context_.session.document().graph](
                        const JobContext& job, const std::stop_token&) -> Result<JobRunner::Delivery> {
    job.report(message("reading"), 0, 0);
    auto read = read_external(file, {}, {.graph = graph.get()});
    if (job.stopped()) return JobRunner::Delivery{};
    if (!read) return tl::unexpected<Error>(read.error());
    const auto runs = std::make_shared<std::vector<ExternalRun>>(std::move(*read));
    return JobRunner::Delivery{[session, menu, network, graph, runs] {
      const WorkspaceNetwork* const of = session->workspace().find(network);
      if (of == nullptr) return;  // removed meanwhile
      const std::shared_ptr<const Graph> now = of->document.graph;
      if (now != graph) {  // edited meanwhile
        for (ExternalRun& run : *runs) match_operators(run, *now);
      }
      session->editor().addExternal(network, *runs);
      if (menu) menu->tell(*now, *runs);
    }};
  };
  context_.jobs.readBeside(tr("Reading %1").arg(name), work);
}

void ExternalMenu::tell(const Graph& graph, const std::vector<ExternalRun>& runs) {
  QStringList lines;
  for (const ExternalRun& run : runs) {
    if (lines.size() >= static_cast<qsizetype>(kMostTold)) break;
    QStringList words{sentence_of(run, graph)};
    for (const Message& notice : run.notices) {
      words << message_sentence(notice) + QLatin1Char('.');
    }
    lines << words.join(QLatin1Char(' '));
  }
  if (runs.size() > kMostTold) lines << tr("And %1 more.").arg(runs.size() - kMostTold);
  const bool nothing_to_draw =
      std::ranges::all_of(runs, [](const ExternalRun& run) { return run.latency.value <= Millis(0); });
  if (nothing_to_draw) lines << tr("Without a latency, no bar is drawn.");
  const bool all_matched = std::ranges::all_of(
      runs, [](const ExternalRun& run) { return run.entries.empty() || run.matched_share() >= kAllButRounding; });
  const QString text = lines.join(QLatin1Char('\n'));
  if (!all_matched) return context_.messages.showNote(text, {tr("Show matches"), [this] { showNewestMatches(); }});
  context_.messages.showNote(text, {tr("Compare"), [this] { context_.actions["mode-compare"]->trigger(); }});
}

QString ExternalMenu::matchesDisabledReason() const {
  for (const WorkspaceExternal* external : context_.session.workspace().external_of(context_.session.networkId())) {
    if (!external->run->entries.empty()) return {};
  }
  return tr("No profile with operators was imported for this network");
}

void ExternalMenu::showNewestMatches() {
  ExternalId newest;
  for (const WorkspaceExternal* external : context_.session.workspace().external_of(context_.session.networkId())) {
    if (!external->run->entries.empty()) newest = external->id;
  }
  showMatches(newest);
}

void ExternalMenu::showMatches(ExternalId id) {
  const auto& all = context_.session.workspace().external();
  const auto found = std::ranges::find(all, id, &WorkspaceExternal::id);
  if (found == all.end()) return;
  const auto graph = context_.session.workspace().find(found->network)->document.graph;
  auto* window = new MatchWindow(found->run, graph, context_.window);
  const auto shown = [this, network = found->network] { return context_.session.networkId() == network; };
  // The window keeps speaking of the graph that it was opened for; an edit may have replaced it.
  const auto same = [this, graph] { return same_structure(*graph, *context_.session.document().graph); };
  connect(window, &MatchWindow::unitChosen, this, [this, shown, same](UnitId unit) {
    if (!shown() || !same()) return;
    selection_.select({{unit}, {}, {}});
    graph_.zoomToSelection();
  });
  connect(window, &MatchWindow::colouringAsked, this, [this, shown, same, graph, external = *found] {
    if (!shown()) return;
    UnitColumn column = column_of_run(*external.run, *graph);
    if (!same()) column = carried(column, *graph, *context_.session.document().graph);
    context_.session.editor().setColumn(external.network, std::make_shared<const UnitColumn>(std::move(column)));
    context_.actions["mode-explore"]->trigger();
    graph_.setOverlay(canvas::Overlay::kColumn);
  });
  window->show();
}

}  // namespace iosx

#include "moc_external_menu.cpp"
