#pragma once

#include <QFont>
#include <QString>
#include <QWidget>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/analysis/sweep/sweep.h"
#include "views/app_model/selection.h"
#include "views/figures/figure.h"
#include "views/style/theme.h"

class QCustomPlot;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSlider;

namespace iosx {

// The results of a sweep: all values at even distances along the axis.
struct SweepCurves {
  SweepBase base;
  Sweep sweep;
  std::vector<std::int64_t> values;
  std::vector<SweepPoint> points;  // for some of the values, in their order

  const SweepPoint* find(std::int64_t value) const;  // may be null
};

enum class SweepMeasure { kLatency, kSpeedUp };  // in ms; over sequential at the same value

// Returns the value of one schedule at a point, by its title; none where it or its reference is missing.
std::optional<double> sweep_value(const SweepPoint& point, const std::string& title, SweepMeasure measure);
// Returns the titles of the schedules of all points, in order of first appearance.
std::vector<std::string> sweep_titles(const std::vector<SweepPoint>& points);
// Returns, in the window's language, "32", "tesla-v100", "unlimited".
QString sweep_value_text(const SweepCurves& curves, std::int64_t value);
// Returns "batch 32: Sequential 29.7 ms, Greedy 28.9 ms, IOS-Both 28.0 ms (1.06×), simulated", or why there is no
// value.
QString sweep_sentence(const SweepCurves& curves, std::int64_t value);

// Draws a curve per schedule into a plot of final size; `font` gives the family.
void build_sweep(QCustomPlot& plot, const SweepCurves& curves, SweepMeasure measure, const Theme& theme,
                 const QFont& font);
std::unique_ptr<Figure> make_sweep_figure(SweepCurves curves, SweepMeasure measure);

class Session;
class Sweeper;

// Shows a sweep: the parameter and its values, a curve per schedule, and a slider that reads them value by
// value. A value can be applied to the settings.
class SweepView final : public QWidget {
  Q_OBJECT
  Q_DISABLE_COPY_MOVE(SweepView)

 public:
  // All must outlive it.
  SweepView(Session& session, Sweeper& sweeper, SelectionModel& selection, QWidget* parent = nullptr);
  ~SweepView() override;

  void setTheme(const Theme& theme);
  // Sets whether the panel is in front: Qt reports a panel behind other tabs as visible.
  void setLookedAt(bool looked_at);
  std::unique_ptr<Figure> figure() const;  // null without a curve

  QSize sizeHint() const override { return {760, 300}; }

 signals:
  // Requests a size of the network or of one of its operators: sweep() and value() have it.
  void graphValueWanted(iosx::SweepParameter parameter, const QString& operator_name, qint64 value);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeChoices();
  void followSelection();
  void takeValues();
  void update();
  void rebuild();
  void read();  // at the slider's value
  void pointAt(double x);
  void alignSlider();
  void use();
  SweepCurves curves() const;
  std::optional<std::int64_t> value() const;  // the slider's
  SweepMeasure measure() const;

  Session& session_;
  Sweeper& sweeper_;
  SelectionModel& selection_;
  Theme theme_ = Theme::light();
  QComboBox* parameter_;
  QLabel* operator_;
  QLineEdit* values_;
  QComboBox* measure_;
  QPushButton* measure_now_;
  QPushButton* use_;
  QLabel* state_;
  QCustomPlot* plot_;
  QLabel* reading_;
  QSlider* slider_;
  QHBoxLayout* below_ = nullptr;     // holds the slider
  std::vector<std::int64_t> drawn_;  // the values on the plot's axis
};

}  // namespace iosx
