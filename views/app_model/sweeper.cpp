#include "views/app_model/sweeper.h"

#include <QPointer>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "views/app_model/jobs.h"
#include "views/app_model/session.h"

namespace iosx {
namespace {

constexpr std::chrono::milliseconds kPatience(150);  // while a setting is being changed

}  // namespace

Sweeper::Sweeper(const Session& session, Jobs& jobs, QObject* parent)
    : QObject(parent), session_(session), jobs_(jobs) {
  connect(&session_, &Session::documentChanged, this, &Sweeper::refresh);
  connect(&session_, &Session::settingsChanged, this, &Sweeper::refresh);
  connect(&answers_, &LatestAnswer::failed, this, &Sweeper::changed);
  connect(&jobs_, &Jobs::finished, this, [this] {
    if (measuring_ != 0) emit changed();  // canMeasure() may be true again
  });
}

void Sweeper::setActive(bool active) {
  if (active == active_) return;
  active_ = active;
  if (!active_) return answers_.drop();
  if (stale_) return refresh();
  next();
  emit changed();
}

void Sweeper::setParameter(SweepParameter parameter) {
  if (parameter == sweep_.parameter) return;
  sweep_.parameter = parameter;
  sweep_.op = {};
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
  if (device == nullptr || is_modelled(device->origin) || values_.empty() || jobs_.has(measuring_)) return false;
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
  stale_ = true;
  if (active_) answers_.askLater(kPatience, [this] { restart(); });
}

void Sweeper::forget() {
  ++round_;
  answers_.drop();
  points_.clear();
  values_.clear();
}

void Sweeper::restart() {
  stale_ = false;
  forget();
  if (session_.hasDocument()) {
    const RunSettings& settings = session_.settings();
    SweepBase& base = sweep_.base;
    base = {session_.document().graph, settings.device, {}, settings.options};
    base.options.sensitivity = base.options.verify = false;
    for (const DeviceRegistry::Entry* const entry : session_.devices().entries()) {
      const bool simulated = is_modelled(entry->info.origin);
      if (entry->unavailable.empty() && (simulated || entry->info.id == settings.device)) {
        base.devices.push_back(entry->info.id);
      }
    }
    sweep_.op = {};
    if (row_of(sweep_.parameter).of_operator) {
      if (const auto op = base.graph->find_operator(operator_name_.toStdString())) sweep_.op = *op;
    }
    if (row_of(sweep_.parameter).size == nullptr || present_value(sweep_) > 0) {
      values_ = asked_.empty() ? usual_values(sweep_) : asked_;
      std::ranges::sort(values_);
      values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
    }
  }
  next();
  emit changed();
}

// Asks for the present value, then for the others from it outwards.
void Sweeper::next() {
  const std::int64_t present = values_.empty() ? 0 : present_value(sweep_);
  const auto rank = [&](std::int64_t value) {
    const auto at = std::ranges::find(values_, value) - values_.begin();
    const auto centre = std::ranges::lower_bound(values_, present) - values_.begin();
    return std::abs(at - centre);
  };
  std::optional<std::int64_t> nearest;
  for (const std::int64_t value : values_) {
    if (!points_.contains(value) && (!nearest || rank(value) < rank(*nearest))) nearest = value;
  }
  if (!nearest || !active_) return;
  const SweepRequest request{.sweep = sweep_, .values = {*nearest}, .measure = false};
  answers_.ask(
      [request, workbench = jobs_.workbench()](const JobContext& job, const std::stop_token& abandon) {
        return workbench.run(request, job, {.abandon = abandon});
      },
      [this](SweepOutcome found) {
        take(std::move(found.points.front()));
        next();
        emit changed();
      });
}

void Sweeper::take(SweepPoint point) { points_.insert_or_assign(point.value, std::move(point)); }

void Sweeper::measure() {
  if (!canMeasure()) return;
  SweepRequest request{.sweep = sweep_, .values = {}};
  for (const std::int64_t value : values_) {
    const SweepPoint* point = find(value);
    if (point == nullptr || point->latencies.empty()) request.values.push_back(value);
  }
  measuring_ =
      jobs_.workFor(session_.networkId(), tr("What if: %1").arg(QString::fromUtf8(row_of(sweep_.parameter).id.data())),
                    [self = QPointer(this), request, workbench = jobs_.workbench(), &jobs = jobs_, round = round_](
                        const JobContext& job, const std::stop_token& abandon) -> Result<JobRunner::Delivery> {
                      auto found = workbench.run(request, job, jobs.hooks(abandon));
                      if (!found && job.stopped()) return JobRunner::Delivery{};  // the store has what was measured
                      if (!found) return tl::unexpected<Error>(found.error());
                      return JobRunner::Delivery{[self, points = std::move(found->points), round] {
                        if (self.isNull() || round != self->round_) return;  // the store has them for the next time
                        for (const SweepPoint& point : points) self->take(point);
                        emit self->changed();
                      }};
                    });
}

}  // namespace iosx

#include "moc_sweeper.cpp"
