#include "views/canvas/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "core/base/printable.h"

namespace iosx::canvas {
namespace {

constexpr std::string_view kDots = "…";
constexpr std::size_t kCore = 24;  // bytes of what tells a name apart that are kept
constexpr std::string_view kJoints = "/._-: ";

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

// These return the nearest beginning of a character: forward() at or after `at`, backward() at or before it.
std::size_t forward(std::string_view text, std::size_t at) {
  while (at < text.size() && !starts_character(text[at])) ++at;
  return at;
}
std::size_t backward(std::string_view text, std::size_t at) {
  while (at > 0 && at < text.size() && !starts_character(text[at])) --at;
  return at;
}

std::size_t common_length(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

// Grows a head and a tail around the kept middle, one character at a time, as long as all fits.
class Elider {
 public:
  Elider(std::string_view text, const FontWidths& widths)
      : text_(text), widths_(widths), dots_(widths.width(kDots)), tail_(text.size()) {}

  std::string run(std::size_t from, std::size_t to, double width) {
    keep(backward(text_, std::min(from, text_.size())), forward(text_, std::min(to, text_.size())), width);
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
      const std::size_t next = forward(text_, to_ + 1);
      const double more = widths_.width(text_.substr(to_, next - to_));
      if (used + more + 2 * dots_ > width) break;
      used += more;
      to_ = next;
    }
    used_ = used;
  }

  bool grow_head(double width) {
    if (from_ != to_ && head_ == from_) head_ = to_;  // it has reached the middle
    if (head_ >= tail_) return false;
    const std::size_t next = forward(text_, head_ + 1);
    return take(head_, next, head_, next, width);
  }

  bool grow_tail(double width) {
    if (from_ != to_ && tail_ == to_) tail_ = from_;
    if (tail_ <= head_) return false;
    const std::size_t next = backward(text_, tail_ - 1);
    return take(next, tail_, tail_, next, width);
  }

  // Moves `end` to `next`, if what that adds fits.
  bool take(std::size_t first, std::size_t last, std::size_t& end, std::size_t next, double width) {
    const double more = widths_.width(text_.substr(first, last - first));
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
    std::string text(text_.substr(0, head));
    if (from_ == to_ || head >= to_ || tail_ <= from_) {
      if (head < tail_) text += kDots;
    } else {
      if (head < from_) text += kDots;
      text += text_.substr(from_, to_ - from_);
      if (to_ < tail_) text += kDots;
    }
    return text += text_.substr(tail_);
  }

  std::string_view text_;
  const FontWidths& widths_;
  double dots_;
  double used_ = 0;
  std::size_t head_ = 0;  // its end
  std::size_t tail_;      // its beginning
  std::size_t from_ = 0;  // the middle
  std::size_t to_ = 0;
};

// Returns what tells each name apart from the one most like it: the piece between two joints where they begin to
// differ.
std::vector<std::pair<std::size_t, std::size_t>> cores(std::span<const std::string> names) {
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
  std::vector<std::pair<std::size_t, std::size_t>> result;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string& name = names[i];
    const std::size_t at = std::min(alike[i], name.size());
    std::size_t from = at;
    while (from > 0 && at - from < kCore / 2 && kJoints.find(name[from - 1]) == std::string_view::npos) --from;
    std::size_t to = std::min(at + 1, name.size());
    while (to < name.size() && to - from < kCore && kJoints.find(name[to]) == std::string_view::npos) ++to;
    result.emplace_back(from, to);
  }
  return result;
}

// Returns the name without "PART." in front, which the frame around the box says already.
std::string without_part(const std::string& name, const std::string& part) {
  const bool prefixed =
      name.size() > part.size() + 1 && name.starts_with(part) && (name[part.size()] == '.' || name[part.size()] == '/');
  return prefixed ? name.substr(part.size() + 1) : name;
}

}  // namespace

std::string short_name(std::string_view name, std::size_t most) {
  if (name.size() <= most) return printable(name);
  return printable(name.substr(0, backward(name, most / 2))) + std::string(kDots) +
         printable(name.substr(forward(name, name.size() - most / 2)));
}

std::string shared_prefix(const Graph& graph) {
  if (graph.units().size() < 3) return {};
  std::string_view shared = graph.units().front().name;
  for (const Unit& unit : graph.units()) shared = shared.substr(0, common_length(shared, unit.name));
  const std::size_t joint = shared.find_last_of("/.:");
  return joint == std::string_view::npos ? std::string() : std::string(shared.substr(0, joint + 1));
}

std::vector<std::string> unit_titles(const Graph& graph) {
  constexpr std::size_t kShort = 22;  // characters that fit beside a hint
  const std::size_t shared = shared_prefix(graph).size();
  std::vector<std::string> titles;
  for (const Unit& unit : graph.units()) {
    const std::string inner = without_part(unit.name, graph.part(unit.part).name);
    const std::string& rest = inner.size() < unit.name.size() - shared ? inner : unit.name.substr(shared);
    const bool hinted = !unit.hint.empty() && unit.hint != unit.name && rest.size() + unit.hint.size() < kShort;
    titles.push_back(printable(rest.empty() ? unit.name : rest));
    if (hinted) titles.back() += " " + printable(unit.hint);
  }
  return titles;
}

std::string elide_around(std::string_view text, std::size_t from, std::size_t to, double width,
                         const FontWidths& widths) {
  if (widths.width(text) <= width) return std::string(text);
  return Elider(text, widths).run(from, to, width);
}

std::vector<std::string> fit_names(std::span<const std::string> names, std::span<const double> room,
                                   const FontWidths& widths) {
  const auto kept = cores(names);
  std::vector<std::string> shown;
  std::unordered_map<std::string_view, std::size_t> full;  // what is shown: the first name that is shown so
  for (std::size_t i = 0; i < names.size(); ++i) {
    shown.push_back(elide_around(names[i], kept[i].first, kept[i].second, room[i], widths));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [first, fresh] = full.try_emplace(shown[i], i);
    if (fresh || names[first->second] == names[i]) continue;
    const std::string number = fmt::format(" #{}", i + 1);
    shown[i] = elide_around(names[i], kept[i].first, kept[i].second, room[i] - widths.width(number), widths) + number;
  }
  return shown;
}

}  // namespace iosx::canvas
