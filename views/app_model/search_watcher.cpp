#include "views/app_model/search_watcher.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace iosx {
namespace {

bool shows_the_same(const SearchMoment& a, const SearchMoment& b) { return a.best == b.best && a.bound == b.bound; }

// A moment that only says that time has passed takes the place of the one before, so that a curve has few points.
void add_moment(std::vector<SearchMoment>& history, const SearchMoment& moment) {
  const std::size_t count = history.size();
  if (count >= 2 && shows_the_same(history[count - 2], history[count - 1]) && shows_the_same(history.back(), moment)) {
    history.back() = moment;
  } else {
    history.push_back(moment);
  }
}

}  // namespace

class SearchWatcher::Mailbox {
 public:
  void set_place(std::shared_ptr<const Graph> graph, const DeviceInfo& device, std::int64_t batch) {
    const std::scoped_lock lock(mutex_);
    searches_.graph = std::move(graph);
    searches_.device = device;
    searches_.batch = batch;
  }

  // True where the caller is to post a delivery: none is under way. Whichever is under way takes the newest.
  bool put(ScheduleKind schedule_kind, SearchMoment moment, std::span<const SearchTask> tasks, const Schedule* better) {
    const std::scoped_lock lock(mutex_);
    auto& all = searches_.searches;
    auto search = std::ranges::find(all, schedule_kind, &LiveSearch::schedule_kind);
    if (search == all.end()) search = all.insert(all.end(), LiveSearch{schedule_kind, {}, {}, {}});
    searches_.running = static_cast<std::size_t>(search - all.begin());
    Clock& clock = clocks_[schedule_kind];
    if (moment.elapsed < clock.last) clock.before = search->history.back().elapsed;  // chosen again
    clock.last = moment.elapsed;
    moment.elapsed += clock.before;
    add_moment(search->history, moment);
    search->tasks.assign(tasks.begin(), tasks.end());
    if (better != nullptr) search->best = std::make_shared<const Schedule>(*better);
    return !std::exchange(posted_, true);
  }

  LiveSearches take() {
    const std::scoped_lock lock(mutex_);
    posted_ = false;
    return searches_;
  }

 private:
  struct Clock {
    Seconds before{0};  // what a search had taken when it began to choose again
    Seconds last{0};    // what it told last
  };

  std::mutex mutex_;
  LiveSearches searches_;
  std::map<ScheduleKind, Clock> clocks_;
  bool posted_ = false;
};

void SearchWatcher::begin() { mailbox_ = std::make_shared<Mailbox>(); }

void SearchWatcher::attach(CompareListener& listener, std::int64_t batch) {
  listener.prepared = [mailbox = mailbox_, batch](const std::shared_ptr<const Graph>& graph, const DeviceInfo& device) {
    mailbox->set_place(graph, device, batch);
  };
  listener.watch = [this, mailbox = mailbox_](ScheduleKind schedule_kind, const SearchMoment& moment,
                                              std::span<const SearchTask> tasks, const Schedule* better) {
    if (!mailbox->put(schedule_kind, moment, tasks, better)) return;
    postbox_.post([this, mailbox] { deliver(mailbox); });
  };
}

void SearchWatcher::end() {
  mailbox_.reset();
  if (!std::exchange(current_, nullptr)) return;
  emit changed();
}

void SearchWatcher::deliver(const std::shared_ptr<Mailbox>& mailbox) {
  if (mailbox != mailbox_) return;
  if (!delivery_.due([this, mailbox] { deliver(mailbox); })) return;
  current_ = std::make_shared<const LiveSearches>(mailbox->take());
  emit changed();
}

}  // namespace iosx

#include "moc_search_watcher.cpp"
