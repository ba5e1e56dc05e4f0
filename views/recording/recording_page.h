#pragma once

#include <QString>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "core/documents/project/workspace.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSplitter;
class QStackedWidget;
class QTabWidget;
class QTextBrowser;
class QToolButton;

namespace iosx {

class Figure;
class FoldCanvas;
class NoPredictions;
class OpportunityPanel;
class PredictedView;
class RecordingHeader;
class RecordingTimeline;

// Shows a recording by itself: what it means, over time, and as a graph of its kernels folded by path. Without times it
// shows the graph alone. All follow one choice of a kernel or of a box. It changes nothing: what the user wants to be
// read anew goes out.
class RecordingPage final : public QWidget {
  Q_OBJECT

 public:
  explicit RecordingPage(QWidget* parent = nullptr);

  void setRecording(const WorkspaceRecording* recording);  // null: how to record one
  // Less than its head needs: pages of other modes are in the same place, and must not become wider for this one.
  QSize minimumSizeHint() const override { return {420, 300}; }
  RecordingTimeline* timeline() const { return timeline_; }
  FoldCanvas* canvas() const { return canvas_; }
  RecordingHeader* header() const { return header_; }
  OpportunityPanel* opportunities() const { return opportunities_; }
  PredictedView* predicted() const { return predicted_; }
  // Return what the page shows as a figure; null where it shows none.
  std::unique_ptr<Figure> timelineFigure() const;
  std::unique_ptr<Figure> predictedFigure() const;

 signals:
  void choicesChanged(iosx::RecordingId id, const iosx::RecordingChoices& choices);
  void filesAsked(iosx::RecordingId id);   // a file of the same run is to be added
  void sourceAsked(iosx::RecordingId id);  // its file is missing: where is it?
  void openAsked();
  void refused(const QString& why);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* buildChoices();
  QWidget* buildEmpty();
  void showHow();
  void showViews(const OpenedRecording& opened);
  void showChoices();
  void changeChoices(const RecordingChoices& choices);
  void choose(std::uint32_t kernel, bool in_timeline);
  void chooseBox(std::uint32_t box);
  void chooseOpportunity(std::size_t number);
  void showRows(const std::vector<std::pair<QString, QString>>& rows);  // titles and texts
  void clear();
  void showFacts();
  void shareHeight();

  std::optional<WorkspaceRecording> recording_;
  std::optional<std::uint32_t> chosen_;
  bool showing_ = false;
  bool height_chosen_ = false;  // by the user, of the timeline
  QStackedWidget* stack_;
  RecordingHeader* header_;
  QComboBox* steps_;
  QComboBox* devices_;
  QLabel* share_title_;
  QDoubleSpinBox* share_;
  QToolButton* add_;
  QToolButton* with_;
  RecordingTimeline* timeline_;
  FoldCanvas* canvas_;
  OpportunityPanel* opportunities_;
  PredictedView* predicted_;
  NoPredictions* none_predicted_;
  QStackedWidget* predictions_;  // the two before
  QSplitter* views_;
  QTextBrowser* facts_;
  QTabWidget* tabs_;
  QLabel* empty_title_ = nullptr;  // by buildEmpty()
  QLabel* empty_why_ = nullptr;
  QToolButton* find_ = nullptr;
};

}  // namespace iosx
