#pragma once

#include <QObject>
#include <vector>

#include "views/window/actions/actions.h"
#include "views/window/base/context.h"

class QContextMenuEvent;
class QMenu;
class QWidget;

namespace iosx {

class SelectionModel;
class TableView;
class Views;

// Offers the actions of the selection on a right click in the graph, the timeline, the charts and the tables. The click
// first selects the thing under it.
class SelectionMenu final : public QObject {
  Q_OBJECT

 public:
  // All must outlive this.
  SelectionMenu(const WindowContext& context, SelectionModel& selection, Views& views);

  // Attaches the menu to a drawing, whose figure the action exports. `further` becomes a submenu, null for none.
  void attach(QWidget* view, QAction* figure, QMenu* further = nullptr);
  // Attaches the menu to a table whose rows are the selection.
  void attach(TableView* table);

  void fill(QMenu& menu);

 signals:
  void explainAsked();  // shows the explanation of the selected stage

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  struct Place {
    QWidget* view;
    QAction* figure;
    QMenu* further;
  };

  void show(const Place& place, const QContextMenuEvent& event);
  void selectUnder(QWidget* canvas, const QPoint& at) const;
  void copyNames() const;
  void copyTable(bool csv) const;
  void selectStage() const;

  WindowContext context_;
  SelectionModel& selection_;
  Views& views_;
  std::vector<Place> places_;
};

}  // namespace iosx
