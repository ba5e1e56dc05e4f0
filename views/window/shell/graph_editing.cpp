#include "views/window/shell/graph_editing.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QInputDialog>
#include <QMainWindow>
#include <QMenu>
#include <QRegularExpression>
#include <utility>
#include <vector>

#include "core/formats/document.h"
#include "core/formats/wire/graph_wire.h"
#include "core/model/edit/fragment.h"
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
#include "views/widgets/dialog_parts.h"
#include "views/window/actions/actions.h"
#include "views/window/base/settings.h"
#include "views/window/dialogs/save_dialogs.h"

namespace iosx {
namespace {

constexpr qint64 kMostTemplate = 64 << 20;  // bytes

}  // namespace

GraphEditing::GraphEditing(const WindowContext& context, GraphController& controller, SelectionModel& selection)
    : QObject(context.window),
      context_(context),
      controller_(&controller),
      latencies_(new EditLatencies(*controller_, context.session, context.jobs, this)),
      page_(new QWidget),
      canvas_(new EditCanvas(*controller_)),
      line_(new LatencyLine(*latencies_)),
      palette_(new OperatorPalette),
      attributes_(new AttributeForm(*controller_)),
      problems_(new ProblemList(*controller_)) {
  controller_->attach(selection);
  put_into(flush(new QVBoxLayout(page_), 0), {{canvas_, 1}, line_});
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
  connect(controller_, &GraphController::changed, this, &GraphEditing::showName);
  showTemplates();
}

void GraphEditing::setActive(bool active) {
  controller_->setActive(active);
  latencies_->setActive(active);
  showName();
  const QString lacks = active ? QString() : controller_->shownLacks();
  if (!lacks.isEmpty()) emit leftWithMistakes(lacks);
}

void GraphEditing::showName() {
  const bool named = controller_->active() && controller_->unpublished();
  emit drawingNamed(named ? shown_name(controller_->graph().name()) : QString());
}

void GraphEditing::newGraph() {
  controller_->newGraph();
  canvas_->setFocus();
}

void GraphEditing::listUnfinished(QMenu* menu) {
  const auto refill = [this, menu] {
    menu->clear();
    for (const GraphController::Unfinished& each : controller_->unfinished()) {
      QAction* action = menu->addAction(menu_text(each.name));
      connect(action, &QAction::triggered, this, [this, id = each.id] {
        emit unfinishedAsked();
        controller_->openUnfinished(id);
        canvas_->setFocus();
      });
    }
    menu->setEnabled(!menu->isEmpty());
  };
  connect(&context_.session.editor(), &WorkspaceEditor::drawingsChanged, menu, refill);
  connect(&context_.session, &Session::workspaceChanged, menu, refill);
  connect(&context_.session.editor(), &WorkspaceEditor::projectOpened, this, [this] {
    const auto unfinished = controller_->unfinished();
    if (context_.session.hasDocument() || unfinished.empty()) return;  // else nothing is shown
    emit unfinishedAsked();
    controller_->openUnfinished(unfinished.back().id);
  });
  refill();
}

void GraphEditing::showMenu(const QPoint& global) {
  QMenu menu(canvas_);
  context_.actions.fill(menu, "drawing");
  menu.exec(global);
}

void GraphEditing::askGraphName() {
  bool ok = false;
  const QString name = QInputDialog::getText(context_.window, tr("Rename the graph"), tr("Name of the network"),
                                             QLineEdit::Normal, shown_name(controller_->graph().name()), &ok);
  if (ok) controller_->push(rename_graph(controller_->graph(), name.trimmed().toStdString()));
}

QString GraphEditing::templateFolder() const {
  return QFileInfo(context_.settings.file()).absoluteDir().filePath(QStringLiteral("templates"));
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
  const QString name = QInputDialog::getText(context_.window, tr("Save as template"), tr("Name in the palette"),
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
  if (!context_.session.hasDocument()) return;
  if (controller_->active()) controller_->built();
  const auto graph = context_.session.document().graph;
  auto text = to_ios_json(*graph, one_by_one_schedule(*graph));
  if (!text) return void(emit refused(error_text(text.error())));
  const QString path = ask_where_to_save(context_.window, context_.settings, tr("Export the graph"),
                                         shown_name(graph->name()), {tr("Original IOS JSON (*.json)")});
  if (path.isEmpty()) return;
  if (auto ok = write_file(path, QByteArray::fromStdString(*text)); !ok) emit refused(error_text(ok.error()));
}

}  // namespace iosx

#include "moc_graph_editing.cpp"
