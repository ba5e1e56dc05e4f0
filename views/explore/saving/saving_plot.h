#pragma once

#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <cstddef>
#include <optional>
#include <vector>

#include "views/app_model/shown_saving.h"
#include "views/style/theme.h"

class QPainter;

namespace iosx {

// Lays the steps of a saving out as a waterfall: a column for the baseline's latency, one a step, one for the
// schedule's; it does geometry and painting, without a widget. A bar reaches from what was left before the step to what
// is left after it. A step that loses has a hatched bar with a triangle above it, the last step an empty one.
//
// The axis begins below the least of what is left, not at 0, or steps would be too low to be seen; a gap in the two
// whole bars says so.
class SavingPlot {
 public:
  struct Label {
    QString name;    // shortened by the rule of views/text/name_fit.h
    QString figure;  // never elided
    QRectF box;      // both lines
  };

  SavingPlot() = default;
  SavingPlot(const SavingFacts& saving, const QRectF& area, const QFont& font);  // of kSteps

  std::size_t steps() const { return steps_.size(); }
  QRectF column(std::size_t step) const;  // what is pressed, as high as the area
  QRectF frame(std::size_t step) const;   // of a chosen one: around its label, too
  QRectF bar(std::size_t step) const { return steps_[step].bar; }
  bool broken() const { return broken_; }  // the axis does not begin at 0
  std::optional<std::size_t> hit(const QPointF& at) const;
  // One a step, none where there is no room beside larger ones; then those of the baseline and of the schedule.
  const std::vector<std::optional<Label>>& labels() const { return labels_; }

  // Those that are painted. `pointed`: the step that the pointer or the keyboard is at; `chosen` are selected. These
  // have theirs before all others, which go where they would overlap.
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
  QRectF first_;                // bar of the baseline
  QRectF second_;               // of the schedule
  std::vector<double> levels_;  // pixels: what is left after each column but the last
  std::vector<std::optional<Label>> labels_;
  std::vector<Label> own_;  // likewise, whether there is room or not
};

}  // namespace iosx
