#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "views/app_model/selection.h"
#include "views/app_model/shown_saving.h"
#include "views/explore/saving/saving_plot.h"
#include "views/figures/figure.h"

class QToolButton;

namespace iosx {

// A strip with the shown schedule's saving against the baseline, part by part: one sentence, and a waterfall below it
// that can be folded. The sentence describes the step under the pointer or keyboard, or the selected one. A click,
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
  QString sentence() const;

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
