#include "views/window/shell/window_title.h"

#include <QFileInfo>
#include <QMainWindow>
#include <QStringList>

#include "views/app_model/session.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"

namespace iosx {

WindowTitle::WindowTitle(const Session& session, QMainWindow* window)
    : QObject(window), session_(session), window_(window) {
  for (const auto changed : {&Session::documentChanged, &Session::comparisonChanged, &Session::activeScheduleChanged,
                             &Session::settingsChanged, &Session::workspaceChanged})
    connect(&session_, changed, this, &WindowTitle::show);
  connect(&session_, &Session::recordingChanged, this, &WindowTitle::show);
  for (const auto changed :
       {&WorkspaceEditor::notesChanged, &WorkspaceEditor::draftsChanged, &WorkspaceEditor::drawingsChanged})
    connect(&session_.editor(), changed, this, &WindowTitle::show);
  show();
}

void WindowTitle::setDrawing(const QString& name) {
  if (name == drawing_) return;
  drawing_ = name;
  show();
}

void WindowTitle::show() {
  QStringList names;
  if (const QString file = session_.editor().projectPath(); !file.isEmpty())
    names << shown_name(QFileInfo(file).fileName().toStdString());
  if (const WorkspaceRecording* const recording = session_.shownRecording()) {
    names << shown_name(QFileInfo(QString::fromStdString(recording->file)).fileName().toStdString());
  } else if (!drawing_.isEmpty()) {
    names << drawing_;
  } else if (session_.hasDocument()) {
    const QString network = shown_name(session_.document().graph->name());
    const auto comparison = session_.comparison();
    const DeviceInfo* device = session_.device();
    names << (comparison          ? context_text(*comparison)
              : device != nullptr ? network + QStringLiteral(", ") + QString::fromStdString(device->name)
                                  : network);
  }
  names << tr("IOS Explorer");
  const QString mark = QStringLiteral("[*]");  // Qt's; twice for one that is part of a name
  for (QString& name : names) name.replace(mark, mark + mark);
  names.front() += mark;
  window_->setWindowTitle(names.join(QStringLiteral(" – ")));
  window_->setWindowModified(session_.editor().modified());
}

}  // namespace iosx

#include "moc_window_title.cpp"
