#pragma once

#include <QAbstractButton>
#include <QWidget>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/duration.h"
#include "core/base/result.h"
#include "core/model/cost/latency.h"
#include "core/model/graph/graph.h"
#include "core/model/graph/operator_table.h"
#include "models/networks/zoo.h"
#include "views/app_model/job_runner.h"
#include "views/style/theme.h"
#include "views/window/base/context.h"

class QGridLayout;
class QLabel;
class QPushButton;
class QScrollArea;
class QToolBar;
class QVBoxLayout;

namespace iosx {

// Describes a network as a picture the size of a stamp: from left to right how deep a unit is (the longest path to it),
// above one another the units that are as deep, so that its height is where much could run at the same time.
struct NetworkSketch {
  // A column has the units of one depth; where it stands for several depths, those of the widest.
  using Column = std::vector<OperatorClass>;

  std::vector<Column> columns;
  std::size_t widest = 0;  // units in a column
  std::size_t units = 0;   // of the network
};

NetworkSketch sketch_of(const Graph& graph, std::size_t most_columns = 72);

// Says what the fastest schedule wins in a network of the zoo at batch 1, as tests/bench/zoo_figures.py took it: on a
// simulated device with the search's usual options, or from a run that was measured.
struct ZooFigure {
  std::string network;                 // "inception_v3"
  std::string device;                  // id
  Origin origin = Origin::kSimulated;  // or measured
  Millis sequential{0};
  Millis best{0};

  double speedup() const { return sequential / best; }
};

// Read the table of figures, in its order; built_in_zoo_figures() reads the one compiled into the program. The error
// says what is wrong with it.
Result<std::vector<ZooFigure>> zoo_figures(std::string_view json);
Result<std::vector<ZooFigure>> built_in_zoo_figures();

// Returns the figures of one network on one device, or null.
const ZooFigure* find(const std::vector<ZooFigure>& figures, std::string_view network, std::string_view device,
                      Origin origin = Origin::kSimulated);

// Shows a built-in network: its picture, its name, and a line for each figure of what concurrency wins in it.
class NetworkCard final : public QAbstractButton {
  Q_OBJECT

 public:
  // The figures are this network's, in display order.
  NetworkCard(const ZooNetwork& network, std::vector<ZooFigure> figures, QWidget* parent = nullptr);

  QString source() const { return source_; }
  void setSketch(NetworkSketch sketch);
  QSize sizeHint() const override { return {212, 162}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString winText() const;

  QString source_;
  QString title_;
  std::vector<ZooFigure> figures_;
  NetworkSketch sketch_;
};

// The start page: files to open, recent ones, the built-in networks as cards. It covers the window's content
// while shown; Escape hides it if a network is open.
class StartPage final : public QWidget {
  Q_OBJECT

 public:
  // Covers all of the window between its tool bar and its status bar. The references must outlive the page.
  StartPage(const WindowContext& context, const QToolBar& bar);

 signals:
  void openAsked();                    // asks for a file
  void chosen(const QString& source);  // opens this
  void shownChanged(bool shown);

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool focusNextPrevChild(bool next) override;  // stays within the page
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* buildFiles();
  QWidget* buildZoo();
  void cover();
  void offerLastSession();
  void fillRecent();
  void layOutCards();
  void sketch();
  bool moveFocus(int key);

  WindowContext context_;
  const QToolBar& bar_;
  QPushButton* open_ = nullptr;
  QPushButton* last_session_ = nullptr;
  QLabel* last_networks_ = nullptr;  // which were open in it
  QVBoxLayout* recent_;
  QPushButton* back_;
  QScrollArea* scroll_;
  QGridLayout* grid_;
  std::vector<NetworkCard*> cards_;
  std::vector<QWidget*> headings_;  // of the groups, in order
  int columns_ = 0;
  bool sketched_ = false;
  JobRunner sketcher_;  // last: its thread ends before the rest is destroyed
};

}  // namespace iosx
