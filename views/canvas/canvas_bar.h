#pragma once

#include <QWidget>
#include <array>

#include "views/canvas/paint/overlay.h"

class QAction;
class QActionGroup;
class QToolButton;

namespace iosx::canvas {

// Says where something is: a plain name of any length, and what is shown of it where that does not fit (empty: the name
// elided).
struct Crumb {
  QString name;
  QString brief;
  friend bool operator==(const Crumb&, const Crumb&) = default;
};

// This strip stands above the canvas and shows where the selection is (network ▸ part ▸ unit), what the colours say,
// search, legend, overview. On a narrow canvas names get shorter and then go.
class CanvasBar final : public QWidget {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(CanvasBar)

 public:
  static constexpr int kHeight = 30;

  explicit CanvasBar(QWidget* parent);

  // Where a name is empty, nothing is shown in its place.
  void setCrumbs(const Crumb& network, const Crumb& part, const Crumb& unit);
  void setOverlay(Overlay overlay);
  void setColumn(const QString& title);    // of Overlay::kColumn, plain text; empty: it is not offered
  void addOverlayAction(QAction* action);  // below the overlays
  void setLegend(bool fits, bool shown);   // where it does not fit, the button opens one over the canvas
  void setMapShown(bool shown);
  void setGainsShown(bool shown);
  void setGainsKnown(bool known);                         // likewise
  QToolButton* partButton() const { return crumbs_[1]; }  // where the list of parts opens
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
  QString overlayText() const;  // of what is shown

  std::array<QToolButton*, 3> crumbs_{};
  std::array<Crumb, 3> names_;
  std::array<QString, 3> tips_;
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
