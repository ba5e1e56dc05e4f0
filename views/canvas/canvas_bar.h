#pragma once

#include <QWidget>
#include <array>

#include "views/canvas/paint/graph_legend.h"
#include "views/canvas/paint/overlay.h"
#include "views/style/theme.h"

class QAction;
class QActionGroup;
class QToolButton;

namespace iosx::canvas {

// A piece of a location: a plain name of any length, and a short form where that does not fit (empty: the elided name).
struct Crumb {
  QString name;
  QString brief;
  friend bool operator==(const Crumb&, const Crumb&) = default;
};

// The signs of the weave in one row, as many as fit, while the legend is closed.
class SignRow final : public QWidget {
  Q_OBJECT

 public:
  explicit SignRow(QWidget* parent);

  void setLegend(GraphLegend legend);
  void setNeeded(bool needed);  // without, it is empty

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  GraphLegend legend_;
  Theme theme_;
  bool needed_ = true;
};

// The strip above the canvas: the selection's location (network ▸ part ▸ unit), the overlay,
// search, legend, overview, and the signs of the picture. On a narrow canvas names get shorter and then disappear.
class CanvasBar final : public QWidget {
  Q_OBJECT

 public:
  static constexpr int kHeight = 30;

  explicit CanvasBar(QWidget* parent);

  // An empty name shows nothing in its place.
  void setCrumbs(const Crumb& network, const Crumb& part, const Crumb& unit);
  void setOverlay(Overlay overlay);
  void setColumn(const QString& title);    // for Overlay::kColumn, plain text; empty: not offered
  void addOverlayAction(QAction* action);  // below the overlays
  void setLegend(bool fits, bool shown);   // without room, the button opens one over the canvas
  void setMapShown(bool shown);
  void setGainsShown(bool shown);
  void setGainsKnown(bool known);  // likewise
  SignRow* signs() const { return signs_; }
  QToolButton* partButton() const { return crumbs_[1]; }  // opens the list of parts
  QToolButton* legendButton() const { return legend_; }

 signals:
  void networkClicked();
  void partsClicked();
  void unitClicked();
  void overlayChosen(iosx::canvas::Overlay overlay);
  void findClicked();
  void legendClicked();
  void mapToggled(bool shown);
  void gainsToggled(bool shown);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fitCrumbs();
  QString overlayText() const;  // of the current overlay

  std::array<QToolButton*, 3> crumbs_{};
  std::array<Crumb, 3> names_;
  std::array<QString, 3> tips_;
  SignRow* signs_;
  QToolButton* overlay_;
  QActionGroup* overlays_;
  QToolButton* find_;
  QToolButton* legend_;
  QToolButton* map_;
  QToolButton* gains_;
  Overlay shown_ = Overlay::kNone;
  QString column_;
};

}  // namespace iosx::canvas
