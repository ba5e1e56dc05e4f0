#include "views/app_model/sweeper.h"

#include <QCoreApplication>
#include <QPointer>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "core/analysis/compare/compare.h"
#include "core/analysis/compare/replay.h"
#include "core/devices/store/measurement_store.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"

namespace iosx {
namespace {

constexpr std::chrono::milliseconds kPatience(150);  // while a setting is being changed

Error not_measured() { return Error{"not measured yet", {}, {}}; }

// What was measured on this computer, without measuring anything.
Result<Comparison> known(const SweepBase& base, const DeviceInfo& device, const StorePlace& place,
                         const JobContext& job) {
  const auto file = place.path();
  if (!place.kept || !file) return tl::unexpected(not_measured());
  auto store = MeasurementStore::open(*file, MeasurementStore::Access::kReadOnly);
  if (!store) return tl::unexpected(not_measured());
  auto found = replay(*base.graph, **store, measurement_set(device, base.options.batch), base.options, job);
  if (!found) return tl::unexpected(not_measured());
  return found;
}

}  // namespace

Sweeper::Sweeper(const Session& session, Jobs& jobs, QObject* parent)
    : QObject(parent), session_(session), jobs_(jobs) {
  soon_.setSingleShot(true);
  soon_.setInterval(kPatience);
  connect(&soon_, &QTimer::timeout, this, &Sweeper::restart);
  connect(&session_, &Session::documentChanged, this, &Sweeper::refresh);
  connect(&session_, &Session::settingsChanged, this, &Sweeper::refresh);
  connect(&runner_, &JobRunner::failed, this, [this] { running_ = false; });
}

void Sweeper::setActive(bool active) {
  if (active == active_) return;
  active_ = active;
  if (active_) {
    refresh();
  } else {
    soon_.stop();
    runner_.abandon();
    running_ = false;
  }
}

void Sweeper::setParameter(SweepParameter parameter) {
  if (parameter == sweep_.parameter) return;
  sweep_ = {parameter};
  asked_.clear();
  forget();  // at once: values are this parameter's
  refresh();
}

void Sweeper::setOperator(const QString& name) {
  if (name == operator_name_) return;
  operator_name_ = name;
  if (row_of(sweep_.parameter).of_operator) refresh();
}

void Sweeper::setValues(std::vector<std::int64_t> values) {
  asked_ = std::move(values);
  refresh();
}

std::vector<SweepPoint> Sweeper::points() const {
  std::vector<SweepPoint> points;
  for (const auto& [value, point] : points_) points.push_back(point);
  return points;
}

const SweepPoint* Sweeper::find(std::int64_t value) const {
  const auto at = points_.find(value);
  return at == points_.end() ? nullptr : &at->second;
}

bool Sweeper::canMeasure() const {
  const DeviceInfo* device = session_.device();
  if (device == nullptr || device->origin == Origin::kSimulated || values_.empty()) return false;
  return std::ranges::any_of(points_, [](const auto& each) { return each.second.latencies.empty(); });
}

QString Sweeper::problem() const {
  if (!session_.hasDocument()) return tr("No network is open.");
  if (row_of(sweep_.parameter).of_operator) {
    if (operator_name_.isEmpty()) return tr("Select an operator on the canvas.");
    if (values_.empty()) return tr("The selected operator has no such size.");
  }
  if (values_.empty()) return tr("The network has nothing to vary here.");
  return {};
}

void Sweeper::refresh() {
  if (active_) soon_.start();
}

void Sweeper::forget() {
  ++round_;
  runner_.abandon();
  running_ = false;
  points_.clear();
  values_.clear();
}

void Sweeper::restart() {
  forget();
  if (session_.hasDocument()) {
    const RunSettings& settings = session_.settings();
    base_.graph = session_.document().graph;
    base_.device = settings.device;
    base_.devices.clear();
    for (const DeviceRegistry::Entry& entry : session_.devices().entries()) {
      const bool simulated = entry.info.origin == Origin::kSimulated;
      if (entry.unavailable.empty() && (simulated || entry.info.id == settings.device)) {
        base_.devices.push_back(entry.info.id);
      }
    }
    base_.options = {};
    base_.options.batch = settings.batch;
    base_.options.schedule_kinds = settings.schedule_kinds;
    base_.options.search = settings.search;
    base_.options.max_part_size = settings.max_part_size;
    base_.options.timing = settings.timing;
    sweep_.op = {};
    if (row_of(sweep_.parameter).of_operator) {
      if (const auto op = base_.graph->find_operator(operator_name_.toStdString())) sweep_.op = *op;
    }
    const bool has_any = !row_of(sweep_.parameter).of_operator || sweep_.op.valid();
    if (has_any && (sweep_.parameter == SweepParameter::kDevice || sweep_.parameter == SweepParameter::kR ||
                    sweep_.parameter == SweepParameter::kS || present_value(base_, sweep_) > 0)) {
      values_ = asked_.empty() ? usual_values(base_, sweep_) : asked_;
      std::ranges::sort(values_);
      values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
    }
  }
  next();
  emit changed();
}

SweepEvaluator Sweeper::evaluator(bool measures) const {
  return [&devices = session_.devices(), place = jobs_.store(), measures,
          version = QCoreApplication::applicationVersion().toStdString()](const SweepBase& base,
                                                                          const JobContext& job) -> Result<Comparison> {
    const DeviceRegistry::Entry* entry = devices.find(base.device);
    if (entry == nullptr) return fail("there is no such device");
    if (entry->info.origin != Origin::kSimulated && !measures) return known(base, entry->info, place, job);
    IOS_TRY(auto device, devices.open(base.device));
    if (!measures) return compare(*base.graph, *device, base.options, job);
    CompareOptions options = base.options;
    const auto opened = open_store(place, device->info());
    options.keeping = Keeping{opened ? opened->get() : nullptr, version, false};
    return compare(*base.graph, *device, options, job);
  };
}

// The present value, then the others from it outwards.
void Sweeper::next() {
  const std::int64_t present = values_.empty() ? 0 : present_value(base_, sweep_);
  const auto rank = [&](std::int64_t value) {
    const auto at = std::ranges::find(values_, value) - values_.begin();
    const auto centre = std::ranges::lower_bound(values_, present) - values_.begin();
    return std::abs(at - centre);
  };
  std::optional<std::int64_t> nearest;
  for (const std::int64_t value : values_) {
    if (!points_.contains(value) && (!nearest || rank(value) < rank(*nearest))) nearest = value;
  }
  running_ = nearest.has_value() && active_;
  if (!running_) return;
  runner_.start({},
                [this, base = base_, sweep = sweep_, value = *nearest, evaluate = evaluator(false)](
                    const JobContext& job, const std::stop_token& abandon) -> Result<JobRunner::Delivery> {
                  SweepBase setting = base;
                  setting.options.abandon = abandon;
                  IOS_TRY(auto point, sweep_point(setting, sweep, value, evaluate, job));
                  return JobRunner::Delivery{[this, found = std::move(point)]() mutable {
                    take(std::move(found));
                    next();
                    emit changed();
                  }};
                });
}

void Sweeper::take(SweepPoint point) { points_.insert_or_assign(point.value, std::move(point)); }

void Sweeper::measure() {
  if (!canMeasure()) return;
  std::vector<std::int64_t> missing;
  for (const std::int64_t value : values_) {
    const SweepPoint* point = find(value);
    if (point == nullptr || point->latencies.empty()) missing.push_back(value);
  }
  jobs_.writeNext(
      tr("What if: %1").arg(QString::fromUtf8(row_of(sweep_.parameter).id.data())),
      [self = QPointer(this), base = base_, sweep = sweep_, missing, evaluate = evaluator(true), round = round_](
          const JobContext& job, const std::stop_token& abandon) -> Result<JobRunner::Delivery> {
        SweepBase setting = base;
        setting.options.abandon = abandon;
        std::vector<SweepPoint> found;
        for (const std::int64_t value : missing) {
          auto point = sweep_point(setting, sweep, value, evaluate, job);
          if (!point) break;  // a stop: what is there counts
          found.push_back(std::move(*point));
        }
        return JobRunner::Delivery{[self, found = std::move(found), round] {
          if (self.isNull() || round != self->round_) return;  // the store has them for the next time
          for (const SweepPoint& point : found) self->take(point);
          emit self->changed();
        }};
      });
}

}  // namespace iosx

#include "moc_sweeper.cpp"
