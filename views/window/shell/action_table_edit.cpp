#include <utility>

#include "views/edit_graph/edit_canvas.h"
#include "views/edit_graph/graph_controller.h"
#include "views/edit_graph/operator_palette.h"
#include "views/edit_schedule/schedule_controller.h"
#include "views/text/qstring.h"
#include "views/window/menus/export_menu.h"
#include "views/window/shell/action_table.h"
#include "views/window/shell/graph_editing.h"
#include "views/window/shell/main_window.h"
#include "views/window/shell/schedule_editor.h"

namespace iosx {

bool ActionTable::draws(const MainWindow* w) { return w->mode() == Mode::kEditGraph; }

std::optional<QString> ActionTable::undo_step(const MainWindow& w) {
  if (draws(&w)) return w.editing_->controller().undoText();
  return w.mode() == Mode::kEditSchedule ? std::optional(w.editor_->controller().undoName()) : std::nullopt;
}

std::optional<QString> ActionTable::redo_step(const MainWindow& w) {
  if (draws(&w)) return w.editing_->controller().redoText();
  return w.mode() == Mode::kEditSchedule ? std::optional(w.editor_->controller().redoName()) : std::nullopt;
}

QString ActionTable::reason(const std::optional<QString>& step, const QString& none) {
  if (!step) return tr("This mode has no edits");
  return step->isEmpty() ? none : QString();
}

ActionRow ActionTable::edit() const {
  MainWindow* const w = this->w;
  return {
      .id = "edit",
      .text = tr("&Edit"),
      .rows = {{.id = "drawing", .rows = drawing()},
               {},
               {.id = "copy-card",
                .text = tr("Copy as &image"),
                .tip = tr("Copy one picture of the result to the clipboard: the speed-up, the network, both timelines"),
                .keys = {tr("Ctrl+Shift+C")},
                .run = [w] { w->exports_->copyCard(); },
                .cannot = no_schedule}}};
}

std::vector<ActionRow> ActionTable::drawing() const {
  MainWindow* const w = this->w;
  const auto does = [w](auto what) { return [w, what] { (w->editing_->controller().*what)(); }; };
  const auto row = [](const char* id, const QString& text, const QString& tip, const QKeySequence& keys,
                      std::function<void()> run, std::function<QString()> cannot = {}) {
    return ActionRow{.id = id,
                     .text = text,
                     .tip = tip,
                     .keys = keys,
                     .mode = Mode::kEditGraph,
                     .run = std::move(run),
                     .cannot = std::move(cannot)};
  };
  const auto unlisted = [](ActionRow row) {
    row.listed = false;
    return row;
  };
  const auto nothing_selected = [w] {
    const GraphController& controller = w->editing_->controller();
    return controller.selected().empty() && !controller.wire() ? tr("Nothing is selected") : QString();
  };
  return {
      {.id = "undo",
       .text = tr("&Undo"),
       .tip = tr("Undo the last change"),
       .keys = {tr("Ctrl+Z")},
       .run = [w] { draws(w) ? w->editing_->controller().undo() : w->editor_->controller().undo(); },
       .cannot = [w] { return reason(undo_step(*w), tr("Nothing to undo")); },
       .text_now =
           [w] {
             const QString step = undo_step(*w).value_or(QString());
             return step.isEmpty() ? tr("&Undo") : tr("&Undo: %1").arg(menu_text(step));
           }},
      {.id = "redo",
       .text = tr("&Redo"),
       .tip = tr("Redo the last undone change"),
       .keys = {tr("Ctrl+Shift+Z")},
       .run = [w] { draws(w) ? w->editing_->controller().redo() : w->editor_->controller().redo(); },
       .cannot = [w] { return reason(redo_step(*w), tr("Nothing to redo")); },
       .text_now =
           [w] {
             const QString step = redo_step(*w).value_or(QString());
             return step.isEmpty() ? tr("&Redo") : tr("&Redo: %1").arg(menu_text(step));
           }},
      {},
      row("cut", tr("Cu&t"), tr("Move the selected operators to the clipboard"), {tr("Ctrl+X")},
          does(&GraphController::cut), no_operator),
      row("copy", tr("&Copy"), tr("Copy the selected operators to the clipboard as text"), {tr("Ctrl+C")},
          does(&GraphController::copy), no_operator),
      row("paste", tr("&Paste"), tr("Insert the operators from the clipboard"), {tr("Ctrl+V")},
          [w] { w->editing_->controller().paste(); }),
      row("duplicate", tr("&Duplicate"), tr("Copy the selected operators, with the same inputs"), {tr("Ctrl+D")},
          does(&GraphController::duplicateSelected), no_operator),
      row(
          "remove", tr("D&elete"), tr("Delete the selection; its readers get open inputs"), {tr("Del")},
          [w] { w->editing_->controller().remove(Healing::kNone); }, nothing_selected),
      row(
          "remove-healing", tr("Delete and &heal"), tr("Delete the selection and reconnect its readers to its inputs"),
          {tr("Shift+Del")}, [w] { w->editing_->controller().remove(Healing::kHeal); }, nothing_selected),
      row(
          "rename", tr("Re&name"), tr("Give the selected operator another name"), {tr("F2")},
          [w] { w->editing_->canvas()->rename(); }, not_one_operator),
      row("select-all", tr("Select &all"), tr("Select all operators"), {tr("Ctrl+A")},
          does(&GraphController::selectAll)),
      {},
      row("add-operator", tr("Add an &operator…"),
          tr("Find an operator or template by its name and add it after the selection"), {tr("Ctrl+Space")},
          [w] { w->editing_->palette()->focusSearch(); }),
      row(
          "connect-operator", tr("Connect &from here"),
          tr("Choose the reader of the selected operator with the arrow keys"), {},
          [w] {
            w->editing_->canvas()->setFocus();
            w->editing_->canvas()->connectByKeys();
          },
          not_one_operator),
      row(
          "save-template", tr("Save as &template…"),
          tr("Save the selected operators under a name, to insert them again"), {},
          [w] { w->editing_->saveTemplate(); }, no_operator),
      {},
      row("group-unit", tr("&Group into a unit"), tr("The scheduler moves the selected operators as one unit"),
          {tr("Ctrl+G")}, does(&GraphController::group), no_operator),
      row("split-unit", tr("&Split the unit"), tr("Each of its operators becomes a separate unit"),
          {tr("Ctrl+Shift+G")}, does(&GraphController::split), no_operator),
      unlisted(row("begin-part", tr("&Begin a part here"),
                   tr("The rest of the part, from the selected unit on, is scheduled by itself"), {},
                   does(&GraphController::beginPart), no_operator)),
      unlisted(row("join-part", tr("&Join with the part before"),
                   tr("Schedule the part of the selected unit together with the part before it"), {},
                   does(&GraphController::joinPart), no_operator)),
      {},
      {.id = "align", .text = tr("Al&ign"), .listed = false, .rows = alignments()},
      row("lay-out", tr("&Lay out"), tr("Arrange all operators except those placed by hand"), {tr("Ctrl+Shift+Y")},
          does(&GraphController::layOut)),
      unlisted(row("release-place", tr("Place b&y layout"), tr("Let the layout place the selected operators"), {},
                   does(&GraphController::releaseSelected), no_operator)),
      row("rename-graph", tr("Rename the grap&h…"), tr("Give the network another name"), {},
          [w] { w->editing_->askGraphName(); }),
  };
}

std::vector<ActionRow> ActionTable::alignments() const {
  const auto row = [w = w](const char* id, Alignment where, const QString& text) {
    return ActionRow{.id = id,
                     .text = text,
                     .tip = tr("Align the selected operators"),
                     .mode = Mode::kEditGraph,
                     .run = [w, where] { w->editing_->controller().alignSelected(where); },
                     .cannot =
                         [w] {
                           const bool several = w->editing_->controller().selected().size() > 1;
                           return several ? QString() : tr("Select several operators");
                         }};
  };
  return {
      row("align-left", Alignment::kLeft, tr("&Left")),       row("align-centre", Alignment::kCentre, tr("&Centre")),
      row("align-right", Alignment::kRight, tr("&Right")),    row("align-top", Alignment::kTop, tr("&Top")),
      row("align-middle", Alignment::kMiddle, tr("&Middle")), row("align-bottom", Alignment::kBottom, tr("&Bottom"))};
}

}  // namespace iosx
