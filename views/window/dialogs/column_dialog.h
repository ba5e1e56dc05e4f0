#pragma once

#include <QDialog>
#include <memory>
#include <vector>

#include "core/formats/external/match.h"
#include "core/formats/external/unit_column.h"

class QComboBox;
class QLabel;
class QPushButton;

namespace iosx {

// A table of values read for a network, with the matches of its names.
struct ReadTable {
  std::string file;
  std::shared_ptr<const Graph> graph;
  ValueTable table;
  std::vector<OperatorMatch> matches;  // one per name
};

// Returns its column, with its file.
MatchedColumn column_of(const ReadTable& read, std::size_t column, ColumnJoin join);
// Returns tally_sentences() in the window's language, a sentence per line.
QString tally_text(const ColumnTally& tally, const ReadTable& read);

// Asks for the column of a table that colours units, and for the join of operators' values; shows how much of the
// table matches the network.
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

}  // namespace iosx
