#pragma once

#include <QAbstractItemModel>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "core/documents/project/workspace.h"
#include "views/style/theme.h"

namespace iosx {

struct LiveSearches;

// The choices of a comparison: the baseline (A), the compared one (B), and others; none: missing.
struct ComparedChoices {
  std::vector<Choice> shown;  // with A and B
  std::optional<Choice> a;
  std::optional<Choice> b;
  friend bool operator==(const ComparedChoices&, const ComparedChoices&) = default;
};

// Shows a workspace as a tree: networks, their runs, the schedules of each run; then recordings. A running job has one
// row below its network, with its searches' results so far: that of the growing run, or a row of its own before there
// is one.
class ProjectModel final : public QAbstractItemModel {
  Q_OBJECT

 public:
  enum Column { kName, kLatency, kSpeedUp, kColumnCount };
  enum class Kind { kNetwork, kRun, kSchedule, kPending, kFound, kRecording };

  struct Row {
    Kind kind = Kind::kNetwork;
    NetworkId network = {};
    RunId run = {};            // of a run or schedule
    std::size_t schedule = 0;  // index into its results; for kFound into the searches
    RecordingId recording = {};
  };

  // The state of a run in progress.
  struct Pending {
    NetworkId network;
    QString title;
    std::shared_ptr<const LiveSearches> searches;  // may be null
  };

  using QAbstractItemModel::QAbstractItemModel;

  // Keeps existing rows, so that views keep what is open and selected.
  void setWorkspace(Workspace workspace);
  void setPending(std::optional<Pending> pending);
  void setProgress(std::optional<int> percent);  // of the pending run; none: unknown
  void setTheme(const Theme& theme);             // colours of the swatches
  // Schedules have check boxes for the comparison, checked for its choices.
  void setPicking(bool picking);
  void setShown(const std::optional<Choice>& shown);  // the workspace shows another schedule, and is the same else
  void setCompared(ComparedChoices compared);

  Row row(const QModelIndex& index) const;  // the index must be valid
  QModelIndex indexOf(NetworkId network) const;
  QModelIndex indexOf(RunId run) const;
  QModelIndex indexOf(RecordingId recording) const;
  QModelIndex indexOf(const Choice& choice) const;
  QModelIndex pendingIndex() const;                              // the row of the run in progress; invalid without one
  std::optional<Choice> choice(const QModelIndex& index) const;  // of a schedule

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& index) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 signals:
  void picked(const iosx::Choice& choice, bool picked);
  void noted(iosx::RunId run, const QString& note);

 private:
  struct Node {
    Row row;
    Node* parent = nullptr;
    std::vector<std::unique_ptr<Node>> children = {};
  };

  static Node* node(const QModelIndex& index) { return static_cast<Node*>(index.internalPointer()); }
  QModelIndex indexOf(const Node* node) const;
  const Node* networkNode(NetworkId network) const;
  static void build(const Workspace& workspace, const std::optional<Pending>& pending, Node& root);
  static void addRecordings(const Workspace& workspace, Node& root);
  void update(Workspace workspace, std::optional<Pending> pending);
  void prune(Node& old, const Node& fresh, const QModelIndex& place);
  void merge(Node& old, Node fresh, const QModelIndex& place);
  const ScheduleResult& result(const Row& row) const;
  QString text(const Row& row, int column) const;
  QString toolTip(const Row& row) const;
  QString networkName(NetworkId network) const;
  QString runText(const WorkspaceRun& run) const;
  QString withProgress(const QString& word) const;
  QString speedText(const Row& row) const;

  Workspace workspace_;
  std::optional<Pending> pending_;
  std::optional<int> percent_;
  Theme theme_ = Theme::light();
  bool picking_ = false;
  ComparedChoices compared_;
  Node root_;
};

}  // namespace iosx
