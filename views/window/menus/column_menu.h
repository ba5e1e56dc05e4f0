#pragma once

#include <QDialog>
#include <QObject>
#include <QString>
#include <memory>
#include <vector>

#include "core/documents/project/workspace.h"
#include "core/formats/external/match.h"
#include "core/formats/external/unit_column.h"
#include "views/window/actions/actions.h"
#include "views/window/base/context.h"

class QComboBox;
class QLabel;

namespace iosx {

class CanvasPair;
class GraphView;

// Holds a table of values that was read for a network, with what its names are there.
struct ReadTable {
  std::string file;
  std::shared_ptr<const Graph> graph;
  ValueTable table;
  std::vector<OperatorMatch> matches;  // one a name
};

// Returns the column of it, with its file.
MatchedColumn column_of(const ReadTable& read, std::size_t column, ColumnJoin join);
// Returns tally_sentences() in the window's language, a sentence a line.
QString tally_text(const ColumnTally& tally, const ReadTable& read);

// Asks which column of a table the units are coloured by, and how a unit's value comes from those of its operators; it
// says how much of the table is found in the network.
class ColumnDialog final : public QDialog {
  Q_OBJECT

 public:
  ColumnDialog(std::shared_ptr<const ReadTable> read, QWidget* parent);
  MatchedColumn chosen() const;

 private:
  void guessJoin();
  void tell();

  std::shared_ptr<const ReadTable> read_;
  QComboBox* column_;
  QComboBox* join_;
  QLabel* found_;
};

// Colours the graph by a column of the user's table of values: asks for the file, reads it in the background, asks for
// the column of several, and shows how much matched. The network keeps the column. If its runs are being compared both
// canvases are coloured, too; otherwise the explore mode opens.
class ColumnMenu final : public QObject {
  Q_OBJECT

 public:
  // All must outlive the window, which owns this.
  ColumnMenu(const WindowContext& context, GraphView& graph, const CanvasPair& compared);

  void ask();  // for a file
  // Reads the file in the background, for the network that is shown now.
  void read(const QString& path);

 private:
  void choose(NetworkId network, const std::shared_ptr<const ReadTable>& read);
  void show(NetworkId network, const std::shared_ptr<const ReadTable>& read, MatchedColumn made);

  WindowContext context_;
  GraphView& graph_;
  const CanvasPair& compared_;
};

}  // namespace iosx
