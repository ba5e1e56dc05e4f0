#pragma once

#include <QString>
#include <QWidget>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/analysis/experiment/sweep.h"
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

class Session;
class Sweeper;

// Shows a sweep: the parameter and its values, a curve per schedule, and a slider that reads them value by
// value. A value can be applied to the settings.
class SweepView final : public QWidget {
  Q_OBJECT

 public:
  // All must outlive it.
  SweepView(Session& session, Sweeper& sweeper, SelectionModel& selection, QWidget* parent = nullptr);

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
  std::optional<std::int64_t> value() const;  // the slider's

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
  QLabel* finding_;  // up to where concurrency pays
  QLabel* reading_;
  QSlider* slider_;
  QHBoxLayout* below_ = nullptr;     // holds the slider
  std::vector<std::int64_t> drawn_;  // the values on the plot's axis
};

}  // namespace iosx
