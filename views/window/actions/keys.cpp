#include <QAction>
#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>
#include <QWidget>
#include <algorithm>
#include <utility>

#include "views/window/actions/actions.h"
#include "views/window/actions/keys.h"
#include "views/window/base/settings.h"

namespace iosx {

KeyBindings::KeyBindings(QWidget* window, Settings& settings) : QObject(window), settings_(settings) {
  for (QAction* action : window->actions()) {
    if (action->objectName().isEmpty()) continue;
    actions_.push_back(action);
    standard_[action] = action->shortcut();
  }
  for (QAction* action : actions_) {
    if (const auto own = settings_.keys(action->objectName())) give(action, *own);
  }
}

QKeySequence KeyBindings::standard(const QAction* action) const {
  const auto found = standard_.find(action);
  return found == standard_.end() ? QKeySequence() : found->second;
}

bool KeyBindings::changed(const QAction* action) const { return action->shortcut() != standard(action); }

QAction* KeyBindings::owner(const QKeySequence& keys, const QAction* besides) const {
  if (keys.isEmpty()) return nullptr;
  const auto found = std::ranges::find_if(actions_, [&](const QAction* action) {
    const QKeySequence own = action->shortcut();
    return action != besides && !own.isEmpty() &&
           (own.matches(keys) != QKeySequence::NoMatch || keys.matches(own) != QKeySequence::NoMatch);
  });
  return found == actions_.end() ? nullptr : *found;
}

void KeyBindings::give(QAction* action, const QKeySequence& keys) {
  action->setShortcut(keys);
  Actions::showTip(action);
}

void KeyBindings::bind(QAction* action, const QKeySequence& keys) {
  while (QAction* other = owner(keys, action)) {
    give(other, {});
    settings_.setKeys(other->objectName(), QKeySequence());
  }
  give(action, keys);
  settings_.setKeys(action->objectName(), changed(action) ? std::optional(keys) : std::nullopt);
  emit keysChanged();
}

void KeyBindings::reset(QAction* action) { bind(action, standard(action)); }

void KeyBindings::resetAll() {
  for (QAction* action : actions_) {
    give(action, standard(action));
    settings_.setKeys(action->objectName(), std::nullopt);
  }
  emit keysChanged();
}

QString plain_text(const QString& marked) {
  // Languages without letters put the marked one behind in brackets: "打开(&O)…".
  static const QRegularExpression kBehind(QStringLiteral("\\s*\\(&\\w\\)"));
  const QString text = QString(marked).remove(kBehind);
  // "&&" is a letter, "&" in front of another one a mark.
  QString plain;
  for (qsizetype i = 0; i < text.size(); ++i) {
    if (text[i] == QLatin1Char('&') && i + 1 < text.size()) ++i;
    plain += text[i];
  }
  return plain;
}

namespace {

struct KeyWords {
  Q_DECLARE_TR_FUNCTIONS(iosx::ViewKeys)
};

ViewKey pointer(const QString& gesture, const QString& what) { return {{}, gesture, what}; }

// Returns the keys of every view with a time axis and kernels, and those of one view.
std::vector<ViewKey> of_time(const std::vector<ViewKey>& more) {
  std::vector<ViewKey> keys{{{Qt::Key_W, Qt::Key_Plus}, {}, KeyWords::tr("Zoom in")},
                            {{Qt::Key_S, Qt::Key_Minus}, {}, KeyWords::tr("Zoom out")},
                            {{Qt::Key_A}, {}, KeyWords::tr("Move left")},
                            {{Qt::Key_D}, {}, KeyWords::tr("Move right")},
                            {{Qt::Key_F, Qt::Key_Home}, {}, KeyWords::tr("Show everything")},
                            {{Qt::Key_Z}, {}, KeyWords::tr("Zoom to the selection")},
                            {{Qt::Key_Period, Qt::Key_Right}, {}, KeyWords::tr("Next kernel")},
                            {{Qt::Key_Comma, Qt::Key_Left}, {}, KeyWords::tr("Previous kernel")},
                            {{Qt::Key_Up, Qt::Key_Down}, {}, KeyWords::tr("Kernel on the lane above or below")}};
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}

}  // namespace

std::vector<ViewKeys> view_keys() {
  const std::vector<QKeySequence> arrows{Qt::Key_Left, Qt::Key_Right, Qt::Key_Up, Qt::Key_Down};
  const std::vector<QKeySequence> alt_sideways{Qt::ALT | Qt::Key_Left, Qt::ALT | Qt::Key_Right};
  const std::vector<QKeySequence> alt_up_or_down{Qt::ALT | Qt::Key_Up, Qt::ALT | Qt::Key_Down};
  std::vector<ViewKeys> views{
      {KeyWords::tr("Graph"),
       {{{Qt::Key_F, Qt::Key_Home}, {}, KeyWords::tr("Show the whole graph")},
        {{Qt::Key_Z}, {}, KeyWords::tr("Zoom to the selection")},
        {{Qt::Key_Plus, Qt::Key_Equal}, {}, KeyWords::tr("Zoom in")},
        {{Qt::Key_Minus}, {}, KeyWords::tr("Zoom out")},
        {{Qt::Key_Up, Qt::Key_Down, Qt::Key_Left, Qt::Key_Right}, {}, KeyWords::tr("Go to the unit in that direction")},
        {{Qt::Key_L}, {}, KeyWords::tr("Show or hide the legend")},
        {{Qt::Key_M}, {}, KeyWords::tr("Show or hide the overview")},
        {{Qt::Key_G}, {}, KeyWords::tr("List the parts, and go to one")},
        {{Qt::Key_PageDown}, {}, KeyWords::tr("Next part")},
        {{Qt::Key_PageUp}, {}, KeyWords::tr("Previous part")},
        {{QKeySequence::Find, Qt::Key_Slash}, {}, KeyWords::tr("Find units"), {QKeySequence::Find}},
        {{Qt::Key_F3}, {}, KeyWords::tr("Next unit found; with Shift the previous one")},
        {{Qt::Key_Escape}, {}, KeyWords::tr("Clear the selection")},
        pointer(KeyWords::tr("Wheel"), KeyWords::tr("Zoom at the cursor")),
        pointer(KeyWords::tr("Drag, Space + drag or Shift + wheel"), KeyWords::tr("Move the drawing")),
        pointer(KeyWords::tr("Ctrl + click"), KeyWords::tr("Add to the selection, or remove from it")),
        pointer(KeyWords::tr("Double click on a part's header"), KeyWords::tr("Show only that part, or all again")),
        pointer(KeyWords::tr("Right click"), KeyWords::tr("Actions for the selection"))}},
      {KeyWords::tr("Timeline"),
       of_time(
           {{{Qt::Key_Return}, {}, KeyWords::tr("Select the kernel's stage")},
            {{Qt::Key_PageDown}, {}, KeyWords::tr("Next stage")},
            {{Qt::Key_PageUp}, {}, KeyWords::tr("Previous stage")},
            {{Qt::Key_Space}, {}, KeyWords::tr("Play in slow motion, pause"), {Qt::Key_Space}},
            {{Qt::Key_U}, {}, KeyWords::tr("Show all plots of why it is faster, or the timeline again"), {Qt::Key_U}},
            {{Qt::Key_I}, {}, KeyWords::tr("Open or fold why it is faster"), {Qt::Key_I}},
            {{Qt::Key_P}, {}, KeyWords::tr("Keep the schedule at the top while the others scroll")},
            {{Qt::Key_Escape}, {}, KeyWords::tr("Clear the measured range, the playhead or the selection")},
            pointer(KeyWords::tr("Shift + left or right"),
                    KeyWords::tr("Move the playhead to the previous or next edge")),
            pointer(KeyWords::tr("Wheel"), KeyWords::tr("Zoom at the cursor")),
            pointer(KeyWords::tr("Drag"), KeyWords::tr("Measure a time range, snapping to edges, with its statistics")),
            pointer(KeyWords::tr("Drag in the ruler"), KeyWords::tr("Move the playhead")),
            pointer(KeyWords::tr("Ctrl + drag"), KeyWords::tr("Move along the time axis")),
            pointer(KeyWords::tr("Right click"),
                    KeyWords::tr("Actions for the selection, and the choice of schedules"))})},
      {KeyWords::tr("Drawn graph"),
       {{arrows, {}, KeyWords::tr("Go to the operator in that direction")},
        {{Qt::ALT | Qt::Key_Left, Qt::ALT | Qt::Key_Right, Qt::ALT | Qt::Key_Up, Qt::ALT | Qt::Key_Down},
         {},
         KeyWords::tr("Move the selection")},
        {{Qt::Key_A}, {}, KeyWords::tr("Choose an operator or template to add")},
        {{Qt::Key_C},
         {},
         KeyWords::tr(
             "Connect the selected operator: arrows choose the reader, Tab the next possible reader, Return connects")},
        {{Qt::Key_Return}, {}, KeyWords::tr("Change the attributes of the selected operator; Escape returns")},
        {{QKeySequence::Find, Qt::Key_Slash}, {}, KeyWords::tr("Find operators")},
        {{Qt::Key_F3}, {}, KeyWords::tr("Next operator found; with Shift the previous one")},
        {{Qt::Key_F, Qt::Key_Home}, {}, KeyWords::tr("Show the whole graph")},
        {{Qt::Key_Z}, {}, KeyWords::tr("Zoom to the selection")},
        {{Qt::Key_Plus, Qt::Key_Equal}, {}, KeyWords::tr("Zoom in")},
        {{Qt::Key_Minus}, {}, KeyWords::tr("Zoom out")},
        {{Qt::Key_Escape}, {}, KeyWords::tr("End a connection, or clear the selection")},
        pointer(KeyWords::tr("Drag from below an operator"),
                KeyWords::tr("Connect it to the operator where you drop it")),
        pointer(KeyWords::tr("Drag the end of a connection"), KeyWords::tr("Reconnect or remove it")),
        pointer(KeyWords::tr("Drag on empty canvas"), KeyWords::tr("Select everything that the rubber band touches")),
        pointer(KeyWords::tr("Middle button or Space + drag"), KeyWords::tr("Move the drawing")),
        pointer(KeyWords::tr("Double click on an operator"), KeyWords::tr("Rename it")),
        pointer(KeyWords::tr("Double click on empty canvas"), KeyWords::tr("Choose an operator to add")),
        pointer(KeyWords::tr("Right click"), KeyWords::tr("Actions for the selection"))}},
      {KeyWords::tr("Stage board"),
       {{arrows, {}, KeyWords::tr("Go to the operator, lane or stage in that direction; with Shift also select it")},
        {alt_sideways,
         {},
         KeyWords::tr("Move the selection to the next stage that allows it; with Shift into a new stage")},
        {alt_up_or_down, {}, KeyWords::tr("Move the selection to the next lane that allows it")},
        {{Qt::Key_PageUp, Qt::Key_PageDown}, {}, KeyWords::tr("Select the stage before or after")},
        {{Qt::Key_Home, Qt::Key_End}, {}, KeyWords::tr("Select the first or the last stage")},
        {{Qt::Key_Space}, {}, KeyWords::tr("Add to the selection, or remove from it")},
        {{Qt::Key_S}, {}, KeyWords::tr("Split the stage")},
        {{Qt::Key_J}, {}, KeyWords::tr("Join the stage with the next one")},
        {{Qt::Key_N}, {}, KeyWords::tr("Put the selection into a stage of its own")},
        {{Qt::Key_M}, {}, KeyWords::tr("Merge the selected layers")},
        {{Qt::Key_T}, {}, KeyWords::tr("Unmerge the merged layers")},
        {{Qt::Key_L}, {}, KeyWords::tr("Lock or unlock the selected stages")},
        {{Qt::Key_Escape}, {}, KeyWords::tr("End a drag, or clear the selection")},
        pointer(KeyWords::tr("Drag"), KeyWords::tr("Move operators, a lane by its handle, a stage by its header")),
        pointer(KeyWords::tr("Double click on a stage's header"), KeyWords::tr("Lock or unlock it"))}},
      {KeyWords::tr("Lane board"),
       {{arrows, {}, KeyWords::tr("Go to the kernel in that direction")},
        {alt_sideways, {}, KeyWords::tr("Move the selected kernel before or after its neighbour")},
        {alt_up_or_down, {}, KeyWords::tr("Move the selected kernel to the next lane, to about the same time")},
        {{Qt::Key_Home, Qt::Key_End}, {}, KeyWords::tr("Select the first or the last kernel of the lane")},
        {{Qt::Key_N}, {}, KeyWords::tr("Put the selected kernel on a lane of its own")},
        {{Qt::Key_B}, {}, KeyWords::tr("Put the selected kernel where the total latency is lowest")},
        {{Qt::Key_Plus, Qt::Key_Equal}, {}, KeyWords::tr("Zoom in")},
        {{Qt::Key_Minus}, {}, KeyWords::tr("Zoom out")},
        {{Qt::Key_F}, {}, KeyWords::tr("Show everything")},
        {{Qt::Key_Escape}, {}, KeyWords::tr("End a drag, or clear the selection")},
        pointer(KeyWords::tr("Drag"), KeyWords::tr("Move a kernel between lanes and along them")),
        pointer(KeyWords::tr("Ctrl + wheel"), KeyWords::tr("Zoom at the cursor"))}},
      {KeyWords::tr("Charts of stages"),
       {{arrows, {}, KeyWords::tr("Go to the bar in that direction")},
        {{Qt::Key_Escape}, {}, KeyWords::tr("Clear the selection")}}},
      {KeyWords::tr("Recording"),
       of_time(
           {{{Qt::Key_Return}, {}, KeyWords::tr("Open or fold the chosen box of the graph")},
            {{Qt::Key_Escape}, {}, KeyWords::tr("Clear the selection")},
            pointer(KeyWords::tr("Wheel"), KeyWords::tr("Zoom at the cursor")),
            pointer(KeyWords::tr("Drag"), KeyWords::tr("Measure a time range, snapping to edges, with its statistics")),
            pointer(KeyWords::tr("Ctrl + drag"), KeyWords::tr("Move along the time axis"))})},
      {KeyWords::tr("Tables"),
       {{{QKeySequence::Copy}, {}, KeyWords::tr("Copy the selected rows as tab-separated text")},
        {{QKeySequence::SelectAll}, {}, KeyWords::tr("Select all rows")},
        {{QKeySequence::Find}, {}, KeyWords::tr("Filter the rows, if the table has a filter line")},
        pointer(KeyWords::tr("Click on a header"), KeyWords::tr("Sort by that column; again: reverse the order")),
        pointer(KeyWords::tr("Right click"), KeyWords::tr("Actions for the rows"))}},
      {KeyWords::tr("Messages"), {{{Qt::Key_Escape}, {}, KeyWords::tr("Close the message that has the focus")}}},
  };
  ViewKeys anywhere{KeyWords::tr("Wherever the focus is"), {}};
  for (const ViewKeys& view : views) {
    for (const ViewKey& key : view.keys) {
      if (!key.anywhere.empty()) anywhere.keys.push_back({key.anywhere, {}, key.what});
    }
  }
  views.push_back(std::move(anywhere));
  return views;
}

const std::vector<QKeySequence>& keys_anywhere() {
  static const std::vector<QKeySequence> keys = [] {
    std::vector<QKeySequence> all;
    const std::vector<ViewKeys> views = view_keys();
    for (const ViewKey& key : views.back().keys) all.insert(all.end(), key.keys.begin(), key.keys.end());
    return all;
  }();
  return keys;
}

QString keys_text(const ViewKey& key) {
  if (!key.gesture.isEmpty()) return key.gesture;
  QStringList texts;
  for (const QKeySequence& keys : key.keys) texts << keys.toString(QKeySequence::NativeText);
  return texts.join(QStringLiteral(", "));
}

}  // namespace iosx

#include "moc_keys.cpp"
