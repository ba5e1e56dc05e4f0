#pragma once

#include <QObject>
#include <QString>

#include "views/style/theme.h"
#include "views/window/base/context.h"

class QMenu;
class QWidget;

namespace iosx {

class EditCanvas;
class EditLatencies;
class GraphController;
class LatencyLine;
class AttributeForm;
class OperatorPalette;
class ProblemList;
class SelectionModel;

// Sets up the graph edit mode: its controller with canvas, palette, attributes and problems, and its actions. Whoever
// places the widgets owns them.
class GraphEditing final : public QObject {
  Q_OBJECT

 public:
  // All must outlive it.
  GraphEditing(const WindowContext& context, GraphController& controller, SelectionModel& selection);

  GraphController& controller() { return *controller_; }
  QWidget* page() const { return page_; }  // the canvas with the widgets below it
  EditCanvas* canvas() const { return canvas_; }
  LatencyLine* latencyLine() const { return line_; }
  EditLatencies& latencies() { return *latencies_; }
  OperatorPalette* palette() const { return palette_; }
  AttributeForm* attributes() const { return attributes_; }
  ProblemList* problems() const { return problems_; }

  void setActive(bool active);
  void newGraph();
  void askGraphName();
  void exportOriginal();
  void saveTemplate();  // of the selection
  // Lists graphs that are drawn and of which nothing can be computed yet.
  void listUnfinished(QMenu* menu);

 signals:
  void attributesAsked();  // shows their panel
  // The name of a drawing that is not a network of the session yet. Empty: it is one, or nothing is drawn.
  void drawingNamed(const QString& name);
  void unfinishedAsked();  // one is open; shows its mode
  void refused(const QString& reason);
  void leftWithMistakes(const QString& lacks);  // what the shown network lacks of the drawing, in a sentence

 private:
  void showName();
  void showMenu(const QPoint& global);
  void showTemplates();
  QString templateFolder() const;

  WindowContext context_;
  GraphController* controller_;
  EditLatencies* latencies_;
  QWidget* page_;
  EditCanvas* canvas_;
  LatencyLine* line_;
  OperatorPalette* palette_;
  AttributeForm* attributes_;
  ProblemList* problems_;
};

}  // namespace iosx
