#pragma once

#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <QWidget>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "views/app_model/selection.h"
#include "views/app_model/shown_saving.h"
#include "views/figures/figure.h"
#include "views/style/theme.h"

class QPainter;
class QToolButton;

namespace iosx {

// Lays out the steps of a saving as a waterfall: a column for the baseline's latency, one per step, one for the
// schedule's. It computes and paints, and is no widget. A bar spans from the remaining time before the step to that
// after it. A losing step has a hatched bar with a triangle above it, the last step an empty one.
//
// The axis begins below the least remaining time, not at 0, so that steps are high enough to see; a gap in the two
// whole bars shows that.
class SavingPlot {
 public:
  struct Label {
    QString name;    // shortened by the rule of views/text/name_fit.h
    QString figure;  // never elided
    QRectF box;      // both lines
  };

  SavingPlot() = default;
  SavingPlot(const SavingFacts& saving, const QRectF& area, const QFont& font);  // for kSteps

  std::size_t steps() const { return steps_.size(); }
  QRectF column(std::size_t step) const;  // the clickable area, of full height
  QRectF frame(std::size_t step) const;   // of a selected one, with its label
  QRectF bar(std::size_t step) const { return steps_[step].bar; }
  bool broken() const { return broken_; }  // the axis does not begin at 0
  std::optional<std::size_t> hit(const QPointF& at) const;
  // One per step, none without room beside larger ones; then those of the baseline and the schedule.
  const std::vector<std::optional<Label>>& labels() const { return labels_; }

  // Returns the painted ones. `pointed`: the step under the pointer or keyboard; `chosen` are selected. These come
  // first and displace labels that they would overlap.
  std::vector<const Label*> shownLabels(std::optional<std::size_t> pointed,
                                        const std::vector<std::size_t>& chosen) const;
  void paint(QPainter& painter, const Theme& theme, std::optional<std::size_t> pointed = {},
             const std::vector<std::size_t>& chosen = {}) const;

 private:
  struct Step {
    QRectF bar;
    QRectF column;
    bool nothing = false;  // its figure is 0
    bool lost = false;
    bool hollow = false;
  };
  void placeBars(const SavingFacts& saving);
  void placeLabels(const SavingFacts& saving);
  std::vector<QString> step_names(const SavingFacts& saving) const;
  double y(double ms) const;
  void paintWhole(QPainter& painter, const QRectF& bar, const QColor& color) const;
  void paintStep(QPainter& painter, const Step& step, const Theme& theme) const;

  QRectF area_;
  QFont font_;
  QRectF plot_;  // of the bars
  double low_ = 0;
  double high_ = 1;
  bool broken_ = false;
  std::vector<Step> steps_;
  QRectF first_;                // the baseline's bar
  QRectF second_;               // the schedule's bar
  std::vector<double> levels_;  // pixels: the remaining time after each column except the last
  std::vector<std::optional<Label>> labels_;
  std::vector<Label> own_;  // likewise, with or without room
};

// Returns a schedule's saving in one sentence: "IOS-Flow saves 2.84 of 6.67 ms against Sequential (simulated)".
// Without steps it gives the reason and a remedy.
QString saving_sentence(const SavingFacts& saving);
// Returns "Savings of IOS-Flow by part, against Sequential", or without steps the reason.
QString saving_title(const SavingFacts& saving);
QString step_name(const SavingFacts& saving, std::size_t step);  // "mixed_7c", "stage 12", "between stages"
// Returns "mixed_7c saves 0.62 ms: 1.03 → 0.41 ms against Sequential (simulated)".
QString step_sentence(const SavingFacts& saving, std::size_t step);

// Shows the shown schedule's saving against the baseline, part by part: a title, and a waterfall below it that can be
// folded. The title gives way to a sentence on the step under the pointer or keyboard, or the selected one. A click,
// Return or Space selects the step's part or stage; the arrow keys, Home and End go from step to step.
class SavingView final : public QWidget {
  Q_OBJECT

 public:
  explicit SavingView(SelectionModel& selection, QWidget* parent = nullptr);  // must outlive the view

  void setSaving(const SavingFacts& saving);
  // During a search that the canvas follows, its sentence replaces the saving's.
  void setSearching(const QString& sentence);  // empty: none is followed
  void setFolded(bool folded);
  bool folded() const { return folded_; }
  QString sentence() const;  // or the title

  std::size_t steps() const { return plot_.steps(); }
  QRect rectOf(std::size_t step) const;
  std::optional<std::size_t> stepAt(const QPoint& at) const;
  std::optional<std::size_t> currentStep() const;  // the keyboard's
  bool selected(std::size_t step) const;
  QString words(std::size_t step) const;
  void press(std::size_t step);

  std::unique_ptr<Figure> figure() const;  // null without steps

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

 signals:
  void foldedChanged(bool folded);
  void stepPressed();  // its part or stage is now selected

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  void refresh();
  void point(std::optional<std::size_t> step);
  std::optional<std::size_t> pointed() const;
  std::vector<std::size_t> chosen() const;

  SavingFacts saving_;
  QString searching_;
  SelectionModel& selection_;
  Theme theme_ = Theme::light();
  QToolButton* fold_;
  bool folded_ = false;
  SavingPlot plot_;
  bool by_keys_ = false;  // the focus came by keyboard, not from another widget
  std::optional<std::size_t> hovered_;
  std::size_t current_ = 0;
};

// The figure is the waterfall; its CSV has one record per step. Null without steps.
std::unique_ptr<Figure> make_saving_figure(const SavingFacts& saving);

}  // namespace iosx
