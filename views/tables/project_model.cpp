#include "views/tables/project_model.h"

#include <QDateTime>
#include <QFont>
#include <QLocale>
#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "core/analysis/difference/subject.h"
#include "views/app_model/search_watcher.h"
#include "views/style/fills.h"
#include "views/text/format.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

Subject subject_of(const WorkspaceRun& run, const ScheduleResult& result) {
  return {{run.run, &run.run->comparison}, *run.run->comparison.index_of(result.id), {}};
}

bool same_item(const ProjectModel::Row& a, const ProjectModel::Row& b) {
  return a.kind == b.kind && a.network == b.network && a.run == b.run && a.schedule == b.schedule &&
         a.recording == b.recording;
}

// Returns "r 3 s 8", as far as they limit anything.
QString limits_text(const Pruning& pruning) {
  QStringList limits;
  if (pruning.r > 0) limits << ProjectModel::tr("r %1").arg(pruning.r);
  if (pruning.s > 0) limits << ProjectModel::tr("s %1").arg(pruning.s);
  return limits.isEmpty() ? ProjectModel::tr("no limits") : limits.join(QLatin1Char(' '));
}

// One job runs at a time, so there is at most one.
const WorkspaceRun* growing_run(const Workspace& workspace, NetworkId network) {
  const auto runs = workspace.runs_of(network);
  const auto found = std::ranges::find_if(runs, &WorkspaceRun::growing);
  return found == runs.end() ? nullptr : *found;
}

QString clock_text(const RunPlace& place) {
  const auto when = QDateTime::fromSecsSinceEpoch(place.when.time_since_epoch().count());
  const bool today = when.date() == QDate::currentDate();
  return today ? QLocale().toString(when.time(), QStringLiteral("HH:mm"))
               : QLocale().toString(
                     when, ProjectModel::tr("d MMM HH:mm", "day and time of a run, as QLocale::toString reads it"));
}

}  // namespace

void ProjectModel::setWorkspace(Workspace workspace) { update(std::move(workspace), pending_); }

void ProjectModel::setPending(std::optional<Pending> pending) { update(workspace_, std::move(pending)); }

void ProjectModel::update(Workspace workspace, std::optional<Pending> pending) {
  Node fresh;
  build(workspace, pending, fresh);
  addRecordings(workspace, fresh);
  prune(root_, fresh, {});  // while what the rows speak of is still there
  workspace_ = std::move(workspace);
  pending_ = std::move(pending);
  merge(root_, std::move(fresh), {});
}

void ProjectModel::setProgress(std::optional<int> percent) {
  if (std::exchange(percent_, percent) == percent) return;
  const QModelIndex row = pendingIndex();
  if (row.isValid()) emit dataChanged(row, row, {Qt::DisplayRole});
}

void ProjectModel::setTheme(const Theme& theme) {
  theme_ = theme;
  emit layoutAboutToBeChanged();
  emit layoutChanged();
}

void ProjectModel::setPicking(bool picking) {
  picking_ = picking;
  emit layoutAboutToBeChanged();
  emit layoutChanged();
}

void ProjectModel::setShown(const std::optional<Choice>& shown) {
  if (workspace_.shown() == shown) return;
  workspace_.set_shown(shown);
  emit layoutAboutToBeChanged();
  emit layoutChanged();
}

void ProjectModel::setCompared(ComparedChoices compared) {
  if (compared_ == compared) return;
  compared_ = std::move(compared);
  emit layoutAboutToBeChanged();
  emit layoutChanged();
}

void ProjectModel::build(const Workspace& workspace, const std::optional<Pending>& pending, Node& root) {
  for (const WorkspaceNetwork& network : workspace.networks()) {
    auto& top = root.children.emplace_back(std::make_unique<Node>(Node{Row{Kind::kNetwork, network.id, {}, 0}}));
    for (const WorkspaceRun* run : workspace.runs_of(network.id)) {
      auto& below = top->children.emplace_back(std::make_unique<Node>(Node{Row{Kind::kRun, network.id, run->id, 0}}));
      for (std::size_t i = 0; i < run->run->comparison.results.size(); ++i) {
        below->children.push_back(std::make_unique<Node>(Node{Row{Kind::kSchedule, network.id, run->id, i}}));
      }
    }
    if (!pending || pending->network != network.id) continue;
    const WorkspaceRun* growing = growing_run(workspace, network.id);
    if (growing == nullptr) {
      top->children.push_back(std::make_unique<Node>(Node{Row{Kind::kPending, network.id, {}, 0}}));
    }
    const RunId run = growing == nullptr ? RunId() : growing->id;
    const auto below = std::ranges::find_if(top->children, [&](const auto& child) { return child->row.run == run; });
    const std::size_t found = pending->searches ? pending->searches->searches.size() : 0;
    for (std::size_t i = 0; i < found; ++i) {
      const ScheduleKind schedule_kind = pending->searches->searches[i].schedule_kind;
      if (growing != nullptr && growing->run->comparison.find(schedule_kind) != nullptr) continue;  // it has been run
      (*below)->children.push_back(std::make_unique<Node>(Node{Row{Kind::kFound, network.id, run, i}}));
    }
  }
}

void ProjectModel::addRecordings(const Workspace& workspace, Node& root) {
  for (const WorkspaceRecording& recording : workspace.recordings()) {
    root.children.push_back(std::make_unique<Node>(Node{Row{.kind = Kind::kRecording, .recording = recording.id}}));
  }
}

// Takes away the rows that the fresh tree lacks; those that are in both stay the same items.
void ProjectModel::prune(Node& old, const Node& fresh, const QModelIndex& place) {
  auto& now = old.children;
  for (std::size_t i = now.size(); i-- > 0;) {
    const auto stays =
        std::ranges::find_if(fresh.children, [&](const auto& node) { return same_item(node->row, now[i]->row); });
    if (stays != fresh.children.end()) {
      prune(*now[i], **stays, createIndex(static_cast<int>(i), 0, now[i].get()));
      continue;
    }
    beginRemoveRows(place, static_cast<int>(i), static_cast<int>(i));
    now.erase(now.begin() + static_cast<std::ptrdiff_t>(i));
    endRemoveRows();
  }
}

// Adds the rows that the old tree lacks, and says that the others may have changed.
void ProjectModel::merge(Node& old, Node fresh, const QModelIndex& place) {
  auto& now = old.children;
  for (std::size_t i = 0; i < fresh.children.size(); ++i) {
    if (i < now.size() && same_item(now[i]->row, fresh.children[i]->row)) {
      const QModelIndex index = createIndex(static_cast<int>(i), 0, now[i].get());
      merge(*now[i], std::move(*fresh.children[i]), index);
      continue;
    }
    beginInsertRows(place, static_cast<int>(i), static_cast<int>(i));
    Node& added = *fresh.children[i];
    added.parent = &old;
    for (auto& child : added.children) {
      child->parent = &added;
      for (auto& grandchild : child->children) grandchild->parent = child.get();
    }
    now.insert(now.begin() + static_cast<std::ptrdiff_t>(i), std::move(fresh.children[i]));
    endInsertRows();
  }
  if (now.empty()) return;
  const auto last = static_cast<int>(now.size()) - 1;
  emit dataChanged(index(0, 0, place), index(last, kColumnCount - 1, place));
}

ProjectModel::Row ProjectModel::row(const QModelIndex& index) const { return node(index)->row; }

QModelIndex ProjectModel::indexOf(const Node* node) const {
  if (node == nullptr || node == &root_) return {};
  const auto& siblings = node->parent->children;
  const auto found = std::ranges::find(siblings, node, [](const auto& child) { return child.get(); });
  return createIndex(static_cast<int>(found - siblings.begin()), 0, node);
}

const ProjectModel::Node* ProjectModel::networkNode(NetworkId network) const {
  const auto found = std::ranges::find_if(root_.children, [&](const auto& child) {
    return child->row.kind == Kind::kNetwork && child->row.network == network;
  });
  return found == root_.children.end() ? nullptr : found->get();
}

QModelIndex ProjectModel::indexOf(NetworkId network) const { return indexOf(networkNode(network)); }

QModelIndex ProjectModel::indexOf(RecordingId recording) const {
  const auto found = std::ranges::find_if(root_.children, [&](const auto& child) {
    return child->row.kind == Kind::kRecording && child->row.recording == recording;
  });
  return found == root_.children.end() ? QModelIndex() : indexOf(found->get());
}

QModelIndex ProjectModel::indexOf(RunId run) const {
  const WorkspaceRun* kept = workspace_.find(run);
  const Node* top = kept == nullptr ? nullptr : networkNode(kept->network);
  if (top == nullptr) return {};
  const auto found = std::ranges::find(top->children, run, [](const auto& child) { return child->row.run; });
  return found == top->children.end() ? QModelIndex() : indexOf(found->get());
}

QModelIndex ProjectModel::indexOf(const Choice& choice) const {
  const QModelIndex run = indexOf(choice.run);
  const WorkspaceRun* kept = workspace_.find(choice.run);
  const auto at = kept == nullptr ? std::nullopt : kept->run->comparison.index_of(choice.schedule);
  return run.isValid() && at ? index(static_cast<int>(*at), 0, run) : QModelIndex();
}

QModelIndex ProjectModel::pendingIndex() const {
  const Node* top = pending_ ? networkNode(pending_->network) : nullptr;
  if (top == nullptr) return {};
  if (const WorkspaceRun* growing = growing_run(workspace_, pending_->network)) return indexOf(growing->id);
  const auto found =
      std::ranges::find(top->children, Kind::kPending, [](const auto& child) { return child->row.kind; });
  return found == top->children.end() ? QModelIndex() : indexOf(found->get());
}

const ScheduleResult& ProjectModel::result(const Row& row) const {
  return workspace_.find(row.run)->run->comparison.results[row.schedule];
}

std::optional<Choice> ProjectModel::choice(const QModelIndex& index) const {
  if (!index.isValid() || row(index).kind != Kind::kSchedule) return std::nullopt;
  return Choice{row(index).run, result(row(index)).id};
}

QModelIndex ProjectModel::index(int row, int column, const QModelIndex& parent) const {
  const Node& above = parent.isValid() ? *node(parent) : root_;
  if (row < 0 || column < 0 || column >= kColumnCount || static_cast<std::size_t>(row) >= above.children.size())
    return {};
  return createIndex(row, column, above.children[static_cast<std::size_t>(row)].get());
}

QModelIndex ProjectModel::parent(const QModelIndex& index) const {
  return index.isValid() ? indexOf(node(index)->parent) : QModelIndex();
}

int ProjectModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid() && parent.column() != 0) return 0;
  return static_cast<int>((parent.isValid() ? *node(parent) : root_).children.size());
}

int ProjectModel::columnCount(const QModelIndex& /*parent*/) const { return kColumnCount; }

QString ProjectModel::networkName(NetworkId network) const {
  return shown_name(workspace_.find(network)->document.graph->name());
}

QString ProjectModel::withProgress(const QString& word) const {
  return percent_ ? tr("%1, %2 %").arg(word).arg(*percent_) : word;
}

QString ProjectModel::runText(const WorkspaceRun& run) const {
  const Comparison& comparison = run.run->comparison;
  // The row may be cut at its end: differences of the network's runs come before common words.
  QStringList differs{tr("Batch %1").arg(comparison.batch)};
  QStringList same;
  const auto add = [&](const auto& told) {
    const QString own = told(run);
    if (own.isEmpty()) return;
    const auto runs = workspace_.runs_of(run.network);
    const bool shared = std::ranges::all_of(runs, [&](const WorkspaceRun* other) { return told(*other) == own; });
    (shared ? same : differs) << own;
  };
  add([](const WorkspaceRun& one) { return shown_name(one.run->comparison.device.name); });
  add([](const WorkspaceRun& one) {
    return has_search(one.run->comparison) ? limits_text(one.run->options.search.pruning) : QString();
  });
  add([](const WorkspaceRun& one) { return clock_text(one.run->place); });
  const auto called_the_same = [&](const WorkspaceRun* other) {
    return other->run->comparison.batch == comparison.batch &&
           other->run->comparison.device.name == comparison.device.name &&
           other->run->options.search.pruning == run.run->options.search.pruning &&
           clock_text(other->run->place) == clock_text(run.run->place);
  };
  int number = 0;  // of this run among those that would be called the same
  int alike = 0;
  for (const WorkspaceRun* other : workspace_.runs_of(run.network)) {
    if (!called_the_same(other)) continue;
    ++alike;
    if (other->id == run.id) number = alike;
  }
  if (alike > 1) differs.insert(1, tr("run %1", "its number, of several of the same minute").arg(number));
  QString text = (differs + same).join(QStringLiteral(" · "));
  if (run.growing) text = tr("%1: %2", "what is being made, and of what").arg(withProgress(tr("Running")), text);
  if (!run.growing && !comparison.complete) text = tr("Partial: %1").arg(text);
  if (!run.note.empty()) text = QStringLiteral("%1 — %2").arg(shown_name(run.note), text);
  return text;
}

// Returns the speed-up against the baseline that is chosen for this network and batch, or else the run's own sequential
// schedule.
QString ProjectModel::speedText(const Row& row) const {
  const ScheduleResult& own = result(row);
  const WorkspaceRun* run = workspace_.find(row.run);
  const auto chosen = workspace_.baseline_of(row.run);
  const WorkspaceRun* other = chosen ? workspace_.find(chosen->run) : run;
  const ScheduleResult* baseline =
      chosen ? workspace_.find(*chosen) : run->run->comparison.find(ScheduleKind::kSequential);
  const bool known = run->run->comparison.knows_latencies() && other->run->comparison.knows_latencies();
  if (baseline == nullptr || !known) return QStringLiteral("–");
  if (baseline == &own) return format::factor(1);
  const std::array subjects{subject_of(*other, *baseline), subject_of(*run, own)};
  const Speedup speedup = whole_difference(subjects[0], subjects[1], Per::kBatch).speedup;
  if (!speedup.known()) return format::factor(speedup.value) + QStringLiteral(" ?");
  return speedup.within_noise() ? QString::fromUtf8("\u2248 1") : format::factor(speedup.value);
}

QString ProjectModel::text(const Row& row, int column) const {
  switch (row.kind) {
    case Kind::kNetwork:
      if (column != kName) return {};
      return workspace_.of_older_file(row.network) ? tr("%1 (older file)").arg(networkName(row.network))
                                                   : networkName(row.network);
    case Kind::kRun: return column == kName ? runText(*workspace_.find(row.run)) : QString();
    case Kind::kRecording: {
      const WorkspaceRecording& recording = *workspace_.find(row.recording);
      const QString name = shown_name(std::filesystem::path(recording.file).filename().string());
      if (column != kName) return {};
      return recording.opened ? tr("%1 (recording)").arg(name) : tr("%1 (missing recording)").arg(name);
    }
    case Kind::kPending: return column == kName ? withProgress(pending_->title) : QString();
    case Kind::kFound: {
      const LiveSearch& search = pending_->searches->searches[row.schedule];
      if (column == kName) return schedule_kind_title(search.schedule_kind);
      const bool known = column == kLatency && !search.history.empty() && search.history.back().best > Millis(0);
      return known ? tr("≈ %1").arg(format::millis(search.history.back().best)) : QString();
    }
    case Kind::kSchedule: break;
  }
  const ScheduleResult& own = result(row);
  switch (column) {
    case kName: {
      const QString title = schedule_title(own);
      const Choice choice{row.run, own.id};
      if (picking_ && compared_.a == choice) return tr("A: %1").arg(title);
      if (picking_ && compared_.b == choice) return tr("B: %1").arg(title);
      const bool baseline = workspace_.baseline() == choice;
      return baseline ? tr("%1 (baseline)").arg(title) : title;
    }
    case kLatency: {
      const bool known = workspace_.find(row.run)->run->comparison.knows_latencies();
      return known ? format::millis(own.latency.value) : tr("unknown");
    }
    case kSpeedUp: return speedText(row);
    default: return {};
  }
}

QString ProjectModel::toolTip(const Row& row) const {
  switch (row.kind) {
    case Kind::kNetwork: {
      const QString source = shown_name(workspace_.find(row.network)->source);
      return workspace_.of_older_file(row.network)
                 ? tr("%1\nThe file has changed since; its runs are of the earlier network").arg(source)
                 : source;
    }
    case Kind::kRecording: {
      const WorkspaceRecording& recording = *workspace_.find(row.recording);
      QStringList lines{shown_name(recording.file)};
      for (const std::string& with : recording.choices.with) lines << tr("with %1").arg(shown_name(with));
      return lines.join(QLatin1Char('\n'));
    }
    case Kind::kPending: return tr("Being searched and run");
    case Kind::kFound: return tr("The sum of the best stages found so far; it has not run yet");
    case Kind::kRun: {
      const WorkspaceRun& run = *workspace_.find(row.run);
      const Comparison& comparison = run.run->comparison;
      QStringList lines{context_text(comparison)};
      if (has_search(comparison)) lines << limits_text(run.run->options.search.pruning);
      lines << QString::fromStdString(time_text(run.run->place.when));
      if (run.growing) lines << tr("The search still runs: this is its best result so far");
      if (!run.growing && !comparison.complete)
        lines << tr("The run was stopped: schedules are missing, or their search did not end");
      if (!run.note.empty()) lines << shown_name(run.note);
      return lines.join(QLatin1Char('\n'));
    }
    case Kind::kSchedule: break;
  }
  const ScheduleResult& own = result(row);
  QStringList lines{tr("%1: %2, %3")
                        .arg(schedule_title(own), latency_text(workspace_.find(row.run)->run->comparison, own),
                             origin_text(own.latency.origin))};
  if (own.latency.samples > 1) lines << tr("Median of %1 runs").arg(own.latency.samples);
  if (own.search) lines << search_sentence(own);
  return lines.join(QLatin1Char('\n'));
}

QVariant ProjectModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Row& row = node(index)->row;
  const bool schedule = row.kind == Kind::kSchedule;
  switch (role) {
    case Qt::DisplayRole: return text(row, index.column());
    case Qt::EditRole:
      if (row.kind == Kind::kRun) return QString::fromStdString(workspace_.find(row.run)->note);
      return text(row, index.column());
    case Qt::ToolTipRole: return toolTip(row);
    case Qt::TextAlignmentRole:
      return QVariant::fromValue(Qt::AlignVCenter | (index.column() == kName ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::DecorationRole:
      if (index.column() != kName) return {};
      if (schedule) {
        const std::optional<Choice>& focus = picking_ && compared_.b ? compared_.b : workspace_.shown();
        return schedule_swatch(theme_, result(row).schedule_kind, focus == choice(index));
      }
      if (row.kind == Kind::kFound) {
        return schedule_swatch(theme_, pending_->searches->searches[row.schedule].schedule_kind, false);
      }
      return {};
    case Qt::CheckStateRole:
      if (!picking_ || !schedule || index.column() != kName) return {};
      return std::ranges::find(compared_.shown, *choice(index)) != compared_.shown.end() ? Qt::Checked : Qt::Unchecked;
    case Qt::FontRole: {
      QFont font;
      font.setBold(row.kind == Kind::kNetwork || row.kind == Kind::kRecording ||
                   (schedule && is_fastest(workspace_.find(row.run)->run->comparison, row.schedule)));
      font.setItalic(row.kind == Kind::kPending || row.kind == Kind::kFound ||
                     (row.kind == Kind::kRecording && !workspace_.find(row.recording)->opened) ||
                     (row.kind == Kind::kRun && !workspace_.find(row.run)->run->comparison.complete));
      return font;
    }
    default: return {};
  }
}

bool ProjectModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid()) return false;
  if (role == Qt::CheckStateRole && picking_ && choice(index)) {
    emit picked(*choice(index), value.toInt() == Qt::Checked);
    return true;
  }
  if (role == Qt::EditRole && row(index).kind == Kind::kRun) {
    emit noted(row(index).run, value.toString().simplified());
    return true;
  }
  return false;
}

Qt::ItemFlags ProjectModel::flags(const QModelIndex& index) const {
  if (!index.isValid()) return Qt::NoItemFlags;
  Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  const Kind kind = row(index).kind;
  if (kind == Kind::kSchedule || kind == Kind::kFound) flags |= Qt::ItemNeverHasChildren;
  if (kind == Kind::kSchedule && picking_ && index.column() == kName) flags |= Qt::ItemIsUserCheckable;
  if (kind == Kind::kRun && index.column() == kName) flags |= Qt::ItemIsEditable;
  return flags;
}

QVariant ProjectModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) {
    return QVariant::fromValue(Qt::AlignVCenter | (section == kName ? Qt::AlignLeft : Qt::AlignRight));
  }
  const bool help = role == Qt::ToolTipRole;
  if (role != Qt::DisplayRole && !help) return {};
  switch (section) {
    case kName: return help ? tr("The fastest of a run is bold") : tr("Schedule");
    case kLatency: return help ? tr("End to end, run alone") : tr("ms");
    case kSpeedUp:
      return help ? tr("Speed-up over the baseline, or else over the run's own sequential schedule; \u2248 1 where the "
                       "difference is within the noise, ? where there were too few runs to be sure")
                  : tr("×");
    default: return {};
  }
}

}  // namespace iosx

#include "moc_project_model.cpp"
