#include "views/window/shell/graph_editing.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QInputDialog>
#include <QMainWindow>
#include <QMenu>
#include <QRegularExpression>
#include <QVBoxLayout>
#include <utility>
#include <vector>

#include "core/formats/document.h"
#include "core/formats/wire/edit_text.h"
#include "core/model/edit/templates.h"
#include "core/model/edit/units.h"
#include "core/model/schedule/baselines.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/canvas/graph_view.h"
#include "views/edit_graph/attribute_form.h"
#include "views/edit_graph/edit_canvas.h"
#include "views/edit_graph/edit_latencies.h"
#include "views/edit_graph/graph_controller.h"
#include "views/edit_graph/latency_line.h"
#include "views/edit_graph/operator_palette.h"
#include "views/edit_graph/problem_list.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/window/actions/actions.h"
#include "views/window/base/settings.h"
#include "views/window/dialogs/files.h"

namespace iosx {
namespace {

constexpr double kZoomStep = 1.25;
constexpr qint64 kMostTemplate = 64 << 20;  // bytes

}  // namespace

GraphEditing::GraphEditing(GraphController& controller, Session& session, Jobs& jobs, SelectionModel& selection,
                           Settings& settings, const Actions& actions, QMainWindow* window)
    : QObject(window),
      session_(session),
      jobs_(jobs),
      settings_(settings),
      actions_(actions),
      window_(window),
      controller_(&controller),
      latencies_(new EditLatencies(*controller_, session, jobs, this)),
      page_(new QWidget),
      canvas_(new EditCanvas(*controller_)),
      line_(new LatencyLine(*latencies_)),
      palette_(new OperatorPalette),
      attributes_(new AttributeForm(*controller_)),
      problems_(new ProblemList(*controller_)) {
  controller_->attach(selection);
  auto* column = new QVBoxLayout(page_);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(canvas_, 1);
  column->addWidget(line_);
  canvas_->setLatencies(*latencies_);
  connect(palette_, &OperatorPalette::kindChosen, this, [this](std::size_t kind) {
    controller_->add(kind);
    canvas_->setFocus();
  });
  connect(palette_, &OperatorPalette::templateChosen, this, [this](const Fragment& fragment) {
    controller_->insertFragment(fragment);
    canvas_->setFocus();
  });
  connect(palette_, &OperatorPalette::left, canvas_, qOverload<>(&QWidget::setFocus));
  connect(canvas_, &EditCanvas::paletteAsked, palette_, &OperatorPalette::focusSearch);
  connect(canvas_, &EditCanvas::attributesAsked, this, [this] {
    emit attributesAsked();
    attributes_->focusFirst();
  });
  connect(attributes_, &AttributeForm::left, canvas_, qOverload<>(&QWidget::setFocus));
  connect(canvas_, &EditCanvas::menuAsked, this, &GraphEditing::showMenu);
  connect(controller_, &GraphController::refused, this, &GraphEditing::refused);
  connect(controller_, &GraphController::changed, this, &GraphEditing::showActions);
  connect(controller_, &GraphController::changed, this, &GraphEditing::showName);
  connect(controller_, &GraphController::selectionChanged, this, &GraphEditing::showActions);
  connectActions();
  showActions();
  showTemplates();
}

void GraphEditing::setActive(bool active) {
  controller_->setActive(active);
  latencies_->setActive(active);
  if (active) canvas_->setFocus();
  showActions();
  showName();
  const QString lacks = active ? QString() : controller_->shownLacks();
  if (!lacks.isEmpty()) emit leftWithMistakes(lacks);
}

void GraphEditing::showName() {
  const bool named = controller_->active() && controller_->unpublished();
  emit drawingNamed(named ? shown_name(controller_->graph().name()) : QString());
}

void GraphEditing::setTheme(const Theme& theme) {
  canvas_->setTheme(theme);
  line_->setTheme(theme);
}

void GraphEditing::newGraph() {
  controller_->newGraph();
  canvas_->setFocus();
}

void GraphEditing::listUnfinished(QMenu* menu) {
  const auto refill = [this, menu] {
    menu->clear();
    for (const GraphController::Unfinished& each : controller_->unfinished()) {
      QString name = each.name;
      QAction* action = menu->addAction(name.replace(QLatin1Char('&'), QStringLiteral("&&")));
      connect(action, &QAction::triggered, this, [this, id = each.id] {
        emit unfinishedAsked();
        controller_->openUnfinished(id);
        canvas_->setFocus();
      });
    }
    menu->setEnabled(!menu->isEmpty());
  };
  connect(&session_, &Session::drawingsChanged, menu, refill);
  connect(&session_, &Session::workspaceChanged, menu, refill);
  connect(&session_, &Session::projectOpened, this, [this] {  // nothing else of it can be shown
    const auto unfinished = controller_->unfinished();
    if (session_.hasDocument() || unfinished.empty()) return;
    emit unfinishedAsked();
    controller_->openUnfinished(unfinished.back().id);
  });
  refill();
}

void GraphEditing::connectActions() {
  const auto does = [this](QAction* action, auto&& what) {
    connect(action, &QAction::triggered, this, [this, what] {
      if (controller_->active()) what();
    });
  };
  does(actions_.undo, [this] { controller_->undo(); });
  does(actions_.redo, [this] { controller_->redo(); });
  does(actions_.cut, [this] { controller_->cut(); });
  does(actions_.copy, [this] { controller_->copy(); });
  does(actions_.paste, [this] { controller_->paste(); });
  does(actions_.duplicate, [this] { controller_->duplicateSelected(); });
  does(actions_.remove, [this] { controller_->remove(Healing::kNone); });
  does(actions_.remove_healing, [this] { controller_->remove(Healing::kHeal); });
  does(actions_.rename, [this] { canvas_->rename(); });
  does(actions_.select_all, [this] { controller_->selectAll(); });
  does(actions_.add_operator, [this] { palette_->focusSearch(); });
  does(actions_.connect_operator, [this] {
    canvas_->setFocus();
    canvas_->connectByKeys();
  });
  does(actions_.group_unit, [this] { controller_->group(); });
  does(actions_.split_unit, [this] { controller_->split(); });
  does(actions_.begin_part, [this] { controller_->beginPart(); });
  does(actions_.join_part, [this] { controller_->joinPart(); });
  does(actions_.lay_out, [this] { controller_->layOut(); });
  does(actions_.release_place, [this] { controller_->releaseSelected(); });
  does(actions_.rename_graph, [this] { askGraphName(); });
  does(actions_.save_template, [this] { saveTemplate(); });
  connect(actions_.export_original, &QAction::triggered, this, &GraphEditing::exportOriginal);
  for (const QAction* action : {actions_.export_network, actions_.export_scheduled, actions_.export_pytorch}) {
    connect(action, &QAction::triggered, this, [this] {  // as it is drawn, not as it was a moment ago
      if (controller_->active()) controller_->built();
    });
  }
  for (std::size_t i = 0; i < actions_.align.size(); ++i) {
    does(actions_.align[i], [this, i] { controller_->alignSelected(static_cast<Alignment>(i)); });
  }
  does(actions_.zoom_in, [this] { canvas_->zoomBy(kZoomStep); });
  does(actions_.zoom_out, [this] { canvas_->zoomBy(1 / kZoomStep); });
  does(actions_.zoom_fit, [this] { canvas_->zoomToFit(); });
  does(actions_.zoom_selection, [this] { canvas_->zoomToSelection(); });
}

void GraphEditing::showActions() {
  Actions::enable(actions_.export_figure[static_cast<std::size_t>(FigureKind::kDrawing)],
                  controller_->graph().operators().empty() ? tr("Nothing is drawn") : QString());
  const QString other_mode = controller_->active() ? QString() : tr("Only where graphs are edited");
  const std::size_t count = controller_->selected().size();
  const auto needs = [&](QAction* action, bool there, const QString& reason) {
    Actions::enable(action, !other_mode.isEmpty() ? other_mode : there ? QString() : reason);
  };
  const QString undo = controller_->undoText();
  const QString redo = controller_->redoText();
  const auto marked = [](QString text) { return text.replace(QLatin1Char('&'), QStringLiteral("&&")); };
  if (controller_->active()) {
    actions_.undo->setText(undo.isEmpty() ? tr("&Undo") : tr("&Undo: %1").arg(marked(undo)));
    actions_.redo->setText(redo.isEmpty() ? tr("&Redo") : tr("&Redo: %1").arg(marked(redo)));
    needs(actions_.undo, !undo.isEmpty(), tr("Nothing was edited"));
    needs(actions_.redo, !redo.isEmpty(), tr("Nothing was taken back"));
  }
  const QString none = tr("No operator is selected");
  for (QAction* action : {actions_.cut, actions_.copy, actions_.duplicate, actions_.group_unit, actions_.split_unit,
                          actions_.begin_part, actions_.join_part, actions_.release_place, actions_.save_template}) {
    needs(action, count > 0, none);
  }
  for (QAction* action : {actions_.remove, actions_.remove_healing})
    needs(action, count > 0 || controller_->wire(), tr("Nothing is selected"));
  for (QAction* action : {actions_.rename, actions_.connect_operator})
    needs(action, count == 1, tr("Select one operator"));
  for (QAction* action : actions_.align) needs(action, count > 1, tr("Select several operators"));
  for (QAction* action :
       {actions_.paste, actions_.select_all, actions_.add_operator, actions_.lay_out, actions_.rename_graph}) {
    needs(action, true, {});
  }
}

void GraphEditing::showMenu(const QPoint& global) {
  QMenu menu(canvas_);
  fill_edit_menu(menu, actions_);
  menu.exec(global);
}

void GraphEditing::askGraphName() {
  bool ok = false;
  const QString name = QInputDialog::getText(window_, tr("Rename the graph"), tr("Name of the network"),
                                             QLineEdit::Normal, shown_name(controller_->graph().name()), &ok);
  if (ok) controller_->push(rename_graph(controller_->graph(), name.trimmed().toStdString()));
}

QString GraphEditing::templateFolder() const {
  return QFileInfo(settings_.file()).absoluteDir().filePath(QStringLiteral("templates"));
}

void GraphEditing::showTemplates() {
  std::vector<Template> built_in;
  for (const GraphTemplate& each : graph_templates()) {
    built_in.push_back(
        {core_words(each.title), tr("%1. For %2.").arg(core_words(each.summary), core_words(each.input)), each.make()});
  }
  std::vector<Template> own;
  const QDir folder(templateFolder());
  for (const QString& name : folder.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
    QFile file(folder.filePath(name));
    if (file.size() > kMostTemplate || !file.open(QIODevice::ReadOnly)) continue;
    auto fragment = fragment_from_text(file.readAll().toStdString(), name.toStdString());
    if (!fragment) continue;
    const QString title = shown_name(fragment->graph.name());
    own.push_back({title, tr("Your own: %1").arg(QDir::toNativeSeparators(file.fileName())), *std::move(fragment)});
  }
  palette_->setTemplates(std::move(built_in), std::move(own));
}

// Writes a file in the program's own folder, by the template's name as far as files may be called so.
void GraphEditing::saveTemplate() {
  bool ok = false;
  const QString name = QInputDialog::getText(window_, tr("Save as template"), tr("Name in the palette"),
                                             QLineEdit::Normal, tr("My template"), &ok)
                           .trimmed();
  if (!ok || name.isEmpty()) return;
  Fragment fragment = controller_->selectedFragment();
  fragment.graph.set_name(name.toStdString());
  QString stem = name;
  static const QRegularExpression kOther(QStringLiteral("[^\\w -]"), QRegularExpression::UseUnicodePropertiesOption);
  stem.replace(kOther, QStringLiteral("_"));
  const QString folder = templateFolder();
  QDir().mkpath(folder);
  const QString path = QDir(folder).filePath(stem.left(80) + QStringLiteral(".json"));
  if (auto done = write_file(path, QByteArray::fromStdString(fragment_to_text(fragment))); !done) {
    emit refused(error_text(done.error()));
  }
  showTemplates();
}

void GraphEditing::exportOriginal() {
  if (!session_.hasDocument()) return;
  if (controller_->active()) controller_->built();
  const auto graph = session_.document().graph;
  auto text = to_ios_json(*graph, one_by_one_schedule(*graph));
  if (!text) return void(emit refused(error_text(text.error())));
  const QString path = ask_where_to_save(window_, settings_, tr("Export the graph"), shown_name(graph->name()),
                                         {tr("Original IOS JSON (*.json)")});
  if (path.isEmpty()) return;
  if (auto ok = write_file(path, QByteArray::fromStdString(*text)); !ok) emit refused(error_text(ok.error()));
}

}  // namespace iosx

#include "moc_graph_editing.cpp"
