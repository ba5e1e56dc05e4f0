#pragma once

#include <QDialog>
#include <functional>
#include <memory>

#include "core/formats/external/external_run.h"

class QTreeWidget;
class QTreeWidgetItem;

namespace iosx {

// Lists how a recorded run was matched to a graph: what matches nothing first, on both sides, marked by colour and
// sign, then the rest with the rule that matched it.
class MatchWindow final : public QDialog {
  Q_OBJECT

 public:
  MatchWindow(std::shared_ptr<const ExternalRun> run, std::shared_ptr<const Graph> graph, QWidget* parent = nullptr);

 signals:
  void unitChosen(iosx::UnitId unit);
  void colouringAsked();  // of the graph by the time of each unit; units without a match are hatched

 private:
  QTreeWidgetItem* addGroup(const QString& title, bool missing);
  void fill();
  void addEntry(QTreeWidgetItem* group, const ExternalEntry& entry, bool missing);
  void copy() const;

  std::shared_ptr<const ExternalRun> run_;
  std::shared_ptr<const Graph> graph_;
  QTreeWidget* tree_;
};

}  // namespace iosx
