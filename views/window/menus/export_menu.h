#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "views/figures/figure.h"
#include "views/figures/paper.h"
#include "views/window/actions/actions.h"

class QWidget;

namespace iosx {

class Jobs;
class ScheduleController;
class Session;
class Settings;
class Toasts;
class Views;

// Implements the export actions and saves runs: asks for a file name, writes, and shows a message with the
// result.
class ExportMenu final : public QObject {
  Q_OBJECT

 public:
  ExportMenu(Session& session, Jobs& jobs, const Views& views, Settings& settings, const Actions& actions,
             Toasts& messages, QWidget* window);

  // `figures` returns a view's current figure; null for an empty view.
  void setFigures(std::function<std::unique_ptr<Figure>(FigureKind)> figures) { figures_ = std::move(figures); }

  // Export without a dialog; the path's suffix gives the figure's format. On an error they show a message and return
  // false.
  bool exportSchedule(ScheduleFormat format, const QString& path);
  // Exports the hand-edited schedule, with its known stage costs.
  bool exportDraft(const ScheduleController& controller, ScheduleFormat format, const QString& path);
  void askDraft(const ScheduleController& controller, ScheduleFormat format);  // asks for a name first
  bool exportFigure(FigureKind kind, const QString& path, const std::optional<PaperFormat>& paper = std::nullopt);
  void copyCard();                            // as an image to the clipboard
  void exportAnimation(const QString& path);  // in a job; a message reports the end
  bool exportTrace(const QString& path);
  void saveRun(const QString& path);          // as the next job
  void exportNetwork(const QString& path);    // as ONNX, in a job; a message reports the end
  void exportScheduled(const QString& path);  // the network as the shown schedule runs it, likewise
  void exportPytorch(const QString& folder);  // the network with the shown schedule, likewise
  void askFigure(FigureKind kind);            // asks for a name and a format first

 private:
  QString ask(const QString& title, const QString& stem, const QStringList& filters);
  bool told(const QString& error, const QString& path);
  void askSchedule(ScheduleFormat format);
  void askAnimation();
  void askStatistics();  // for the measured range of the timeline
  void askTrace();
  void askNetwork();
  void askScheduled();
  void askPytorch();
  void askRun();

  Session& session_;
  Jobs& jobs_;
  const Views& views_;
  std::function<std::unique_ptr<Figure>(FigureKind)> figures_;
  Settings& settings_;
  Toasts& messages_;
  QWidget* window_;
};

}  // namespace iosx
