#include "views/text/name_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/base/text.h"

namespace iosx {

std::size_t common_length(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

namespace {

constexpr std::string_view kDots = "…";
constexpr std::size_t kCore = 24;  // bytes of what tells a name apart that are kept
constexpr std::string_view kJoints = "/._-: ";
constexpr std::size_t kLeastFamily = 3;      // members
constexpr std::size_t kLongestFamily = 200;  // bytes of a prefix

bool is_joint(char c) { return kJoints.find(c) != std::string_view::npos; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Grows a head and a tail around the kept middle, one character at a time, as long as all fits.
class Elider {
 public:
  Elider(std::string_view text, const TextWidth& width_of)
      : text_(text), width_of_(width_of), dots_(width_of(kDots)), tail_(text.size()) {}

  std::string run(std::size_t from, std::size_t to, double width) {
    keep(character_until(text_, std::min(from, text_.size())), character_from(text_, std::min(to, text_.size())),
         width);
    bool head = true;
    bool tail = true;
    while (head || tail) {
      if (head) head = grow_head(width);
      if (tail) tail = grow_tail(width);
    }
    return shown();
  }

 private:
  double gaps() const {
    if (from_ == to_) return head_ < tail_ ? dots_ : 0;
    return (head_ < from_ ? dots_ : 0) + (to_ < tail_ ? dots_ : 0);
  }

  void keep(std::size_t from, std::size_t to, double width) {
    from_ = to_ = from;
    double used = 0;
    while (to_ < to) {
      const std::size_t next = character_from(text_, to_ + 1);
      const double more = width_of_(text_.substr(to_, next - to_));
      if (used + more + 2 * dots_ > width) break;
      used += more;
      to_ = next;
    }
    used_ = used;
  }

  bool grow_head(double width) {
    if (from_ != to_ && head_ == from_) head_ = to_;  // it has reached the middle
    if (head_ >= tail_) return false;
    const std::size_t next = character_from(text_, head_ + 1);
    return take(head_, next, head_, next, width);
  }

  bool grow_tail(double width) {
    if (from_ != to_ && tail_ == to_) tail_ = from_;
    if (tail_ <= head_) return false;
    const std::size_t next = character_until(text_, tail_ - 1);
    return take(next, tail_, tail_, next, width);
  }

  // Moves `end` to `next`, if what that adds fits.
  bool take(std::size_t first, std::size_t last, std::size_t& end, std::size_t next, double width) {
    const double more = width_of_(text_.substr(first, last - first));
    const std::size_t before = std::exchange(end, next);
    if (used_ + more + gaps() <= width) {
      used_ += more;
      return true;
    }
    end = before;
    return false;
  }

  std::string shown() const {
    const std::size_t head = std::min(head_, tail_);
    if (from_ == to_ || head >= to_ || tail_ <= from_) {
      return head < tail_ ? before(head, true) + behind(tail_, true).substr(kDots.size()) : std::string(text_);
    }
    return before(head, head < from_) + std::string(text_.substr(from_, to_ - from_)) + behind(tail_, to_ < tail_);
  }

  // Return a head and a tail, with dots where something is left out, and then without a joint next to the dots, which
  // would be meaningless.
  std::string before(std::size_t end, bool dots) const {
    while (dots && end > 0 && is_joint(text_[end - 1])) --end;
    return std::string(text_.substr(0, end)).append(dots ? kDots : std::string_view());
  }
  std::string behind(std::size_t begin, bool dots) const {
    while (dots && begin < text_.size() && is_joint(text_[begin])) ++begin;
    return std::string(dots ? kDots : std::string_view()).append(text_.substr(begin));
  }

  std::string_view text_;
  const TextWidth& width_of_;
  double dots_;
  double used_ = 0;
  std::size_t head_ = 0;  // its end
  std::size_t tail_;      // its beginning
  std::size_t from_ = 0;  // the middle
  std::size_t to_ = 0;
};

// The difference of a name from the most similar one: the piece [from, to) between two joints in which they begin to
// differ, at `at`.
struct NamePiece {
  std::size_t from = 0;
  std::size_t at = 0;
  std::size_t to = 0;
};

std::vector<NamePiece> cores(std::span<const std::string> names) {
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return names[a] < names[b]; });
  std::vector<std::size_t> alike(names.size(), 0);
  for (std::size_t i = 1; i < order.size(); ++i) {
    const std::size_t length = common_length(names[order[i - 1]], names[order[i]]);
    if (names[order[i - 1]].size() == length && names[order[i]].size() == length) continue;  // the same name
    alike[order[i - 1]] = std::max(alike[order[i - 1]], length);
    alike[order[i]] = std::max(alike[order[i]], length);
  }
  std::vector<NamePiece> result;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    const std::size_t at = std::min(alike[i], name.size());
    std::size_t from = at;
    while (from > 0 && at - from < kCore / 2 && !is_joint(name[from - 1])) --from;
    std::size_t to = std::min(at + 1, name.size());
    while (to < name.size() && to - from < kCore && !is_joint(name[to])) ++to;
    result.push_back({from, at, to});
  }
  return result;
}

// Where the whole piece does not fit, the kept text begins at the difference; and where that does not fit either, the
// name keeps its two ends.
std::string elide_to(const std::string& name, const NamePiece& piece, double room, const TextWidth& width_of) {
  const auto fits = [&](std::size_t from) {
    return width_of(std::string_view(name).substr(from, piece.to - from)) + 2 * width_of(kDots) <= room;
  };
  if (fits(piece.from)) return elide_around(name, piece.from, piece.to, room, width_of);
  if (fits(piece.at)) return elide_around(name, piece.at, piece.to, room, width_of);
  return elide_around(name, 0, 0, room, width_of);
}

// Returns the lengths at which a name may be cut so that what is left says something: behind a joint, or before a
// number that follows a letter.
std::vector<std::size_t> family_cuts(std::string_view name) {
  std::vector<std::size_t> cuts;
  for (std::size_t at = 1; at < std::min(name.size(), kLongestFamily); ++at) {
    if (name[at - 1] == '(' || name[at] == '(') continue;  // "(1/6)" alone says nothing of "stem (1/6)"
    const bool joint = is_joint(name[at - 1]);
    const bool extent = name[at - 1] == 'x' && at > 1 && is_digit(name[at - 2]);  // "7x7" is one thing
    const bool number = is_digit(name[at]) && !is_digit(name[at - 1]) && !joint && !extent;
    if (joint || number) cuts.push_back(at);
  }
  return cuts;
}

}  // namespace

std::string elide_around(std::string_view text, std::size_t from, std::size_t to, double width,
                         const TextWidth& width_of) {
  if (width_of(text) <= width) return std::string(text);
  return Elider(text, width_of).run(from, to, width);
}

std::vector<std::string> fit_names(std::span<const std::string> names, std::span<const double> room,
                                   const TextWidth& width_of) {
  const auto kept = cores(names);
  std::vector<std::string> shown;
  std::unordered_map<std::string_view, std::size_t> full;  // what is shown: the first name that is shown so
  for (std::size_t i = 0; i < names.size(); ++i) {
    shown.push_back(elide_to(names[i], kept[i], room[i], width_of));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [first, fresh] = full.try_emplace(shown[i], i);
    if (fresh || names[first->second] == names[i]) continue;
    const std::string number = fmt::format(" #{}", i + 1);
    shown[i] = elide_to(names[i], kept[i], room[i] - width_of(number), width_of) + number;
  }
  return shown;
}

std::string family_prefix(std::span<const std::string> names) {
  const std::set<std::string_view> distinct(names.begin(), names.end());
  std::map<std::string_view, std::size_t> members;
  for (const std::string_view name : distinct) {
    for (const std::size_t cut : family_cuts(name)) ++members[name.substr(0, cut)];
  }
  std::string_view longest;
  for (const auto& [prefix, count] : members) {
    if (count >= kLeastFamily && 2 * count > distinct.size() && prefix.size() > longest.size()) longest = prefix;
  }
  // A shortened name must not be another one's whole name.
  const bool clash = std::ranges::any_of(distinct, [&](std::string_view name) {
    return name.size() > longest.size() && name.starts_with(longest) && distinct.contains(name.substr(longest.size()));
  });
  return clash ? std::string() : std::string(longest);
}

std::string without_family(std::string_view name, std::string_view prefix) {
  const bool member = name.size() > prefix.size() && name.starts_with(prefix) && !is_joint(name[prefix.size()]);
  return std::string(member ? name.substr(prefix.size()) : name);
}

std::vector<std::string> fit_family(std::span<const std::string> names, std::span<const double> room,
                                    const TextWidth& width_of) {
  const std::string prefix = family_prefix(names);
  bool whole = true;  // of all its members
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].starts_with(prefix)) whole = whole && width_of(names[i]) <= room[i];
  }
  std::vector<std::string> shorter;
  for (const std::string& name : names) shorter.push_back(whole ? name : without_family(name, prefix));
  return fit_names(shorter, room, width_of);
}

}  // namespace iosx
