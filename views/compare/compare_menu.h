#pragma once

#include <QObject>
#include <cstddef>
#include <optional>

#include "views/compare/compare_page.h"

class QMenu;
class QModelIndex;
class QPoint;

namespace iosx {

// Offers what can be done with what is under the pointer on the page that compares: it is copied, made the baseline or
// the schedule beside it, shown in the window's other mode, exported. A right click and the menu key offer the same.
class CompareMenu final : public QObject {
  Q_OBJECT

 public:
  explicit CompareMenu(ComparePage* page);  // owned by it

  void fillBar(QMenu& menu, std::optional<std::size_t> bar);
  // The index is one of the table's; it is not valid where the menu is of nothing in it.
  void fillMatrix(QMenu& menu, const QModelIndex& index);
  void fillStages(QMenu& menu, const QModelIndex& index);
  void fillStatistics(QMenu& menu, const QModelIndex& index);

 signals:
  void exploreAsked(int subject, int stage);  // stage: -1 for none
  void figureAsked(iosx::ComparedFigure figure);
  void externalRemoveAsked(int external);  // by its place among those of the page

 private:
  using Fill = void (CompareMenu::*)(QMenu&, const QModelIndex&);

  void attach(CompareTable* table, Fill fill);
  void addCopies(QMenu& menu, const CompareTable& table, const QModelIndex& index);
  void addSubject(QMenu& menu, std::size_t subject);
  void addFigure(QMenu& menu, ComparedFigure figure);

  ComparePage& page_;
};

}  // namespace iosx
