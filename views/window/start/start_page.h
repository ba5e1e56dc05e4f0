#pragma once

#include <QAbstractButton>
#include <QWidget>
#include <memory>
#include <vector>

#include "models/networks/zoo.h"
#include "views/app_model/job_runner.h"
#include "views/window/base/context.h"
#include "views/window/start/network_card.h"

class QGridLayout;
class QLabel;
class QMainWindow;
class QPushButton;
class QScrollArea;
class QToolBar;
class QVBoxLayout;

namespace iosx {

// Shows a built-in network: its picture, its name, and what concurrency wins in it.
class NetworkCard final : public QAbstractButton {
  Q_OBJECT

 public:
  // The figures are this network's, in display order; one per device.
  NetworkCard(const ZooNetwork& network, std::vector<ZooFigure> figures, QWidget* parent = nullptr);

  QString source() const { return source_; }
  void setSketch(NetworkSketch sketch);
  QSize sizeHint() const override { return {212, 148}; }

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
