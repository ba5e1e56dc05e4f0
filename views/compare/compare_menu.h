#pragma once

#include <QObject>
#include <cstddef>
#include <optional>

#include "views/compare/compare_page.h"

class QMenu;
class QModelIndex;

namespace iosx {

// The menu of the thing under the pointer on the comparison page: copy, baseline, compared schedule, the window's
// other mode, export. A right click and the menu key open it.
class CompareMenu final : public QObject {
  Q_OBJECT

 public:
  explicit CompareMenu(ComparePage* page);  // owned by it

  void fillBar(QMenu& menu, std::optional<std::size_t> bar);
  // The index is one of the table's; invalid for a menu outside its rows.
  void fillMatrix(QMenu& menu, const QModelIndex& index);
  void fillStages(QMenu& menu, const QModelIndex& index);
  void fillStatistics(QMenu& menu, const QModelIndex& index);

 signals:
  void exploreAsked(int subject, int stage);  // stage: -1 for none
  void figureAsked(iosx::ComparedFigure figure);
  void externalRemoveAsked(int external);  // by its place among the page's

 private:
  void addCopies(QMenu& menu, const CompareTable& table, const QModelIndex& index);
  void addSubject(QMenu& menu, std::size_t subject);
  void addFigure(QMenu& menu, ComparedFigure figure);

  ComparePage& page_;
};

}  // namespace iosx
