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

}  // namespace iosx
