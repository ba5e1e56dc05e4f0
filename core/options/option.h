#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <tuple>
#include <type_traits>
#include <variant>

#include "core/base/message.h"
#include "core/base/result.h"

// An option is a member of a struct and a row beside that struct, which says all that people read and may give:
//
//   struct Pruning {
//     std::size_t r = 3;
//   };
//   template <>
//   inline constexpr auto kOptionTable<Pruning> = std::tuple{
//       option(&Pruning::r, {.id = "r",
//                            .title = Sentence{"Units per group (r)"},
//                            .help = Sentence{"Maximum units in a group"},
//                            .bounds = {0, 1'000'000},
//                            .zero = Sentence{"unlimited"},
//                            .uses = use::kSearches})};
//
// The command line's flag, Python's keyword, the control in the window, the line in a report, the name in a message and
// the field in a run file follow from the row. A struct that is written to files lists all of its members, in order.
namespace iosx {

// Both belong to what may be given.
template <typename T>
struct Bounds {
  T least;
  T most;
  constexpr bool hold(T value) const { return value >= least && value <= most; }
};

// Which commands of the program take an option, and which functions of the Python package: a sum of these.
using Uses = std::uint32_t;
namespace use {
inline constexpr Uses kCompare = 1U << 0;
inline constexpr Uses kOptimize = 1U << 1;
inline constexpr Uses kImprove = 1U << 2;
inline constexpr Uses kSweep = 1U << 3;
inline constexpr Uses kExperiment = 1U << 4;         // all kinds but the next two
inline constexpr Uses kPruningExperiment = 1U << 5;  // varies r and s
inline constexpr Uses kSearchExperiment = 1U << 6;   // varies how it searches
inline constexpr Uses kExplain = 1U << 7;
inline constexpr Uses kProfile = 1U << 8;
inline constexpr Uses kDiff = 1U << 9;
inline constexpr Uses kFrameworks = 1U << 10;
inline constexpr Uses kRun = 1U << 11;
inline constexpr Uses kMeasureStages = 1U << 12;
inline constexpr Uses kMeasureOperators = 1U << 13;
inline constexpr Uses kCount = 1U << 14;
inline constexpr Uses kInspect = 1U << 15;
inline constexpr Uses kSearch = 1U << 16;  // with latencies that a function of Python's says
inline constexpr Uses kAll = ~Uses{0};

inline constexpr Uses kExperiments = kExperiment | kPruningExperiment | kSearchExperiment;
inline constexpr Uses kMeasuredSearches =
    kCompare | kOptimize | kImprove | kSweep | kExperiment | kExplain | kProfile | kDiff | kFrameworks;
inline constexpr Uses kSearches = kMeasuredSearches | kSearch;

// Returns what the Python package's function of that name is; 0 where it takes no options.
Uses named(std::string_view function);
}  // namespace use

// Texts come last. One of kSchedule is a schedule's file, one of kSchedules names several schedules, separated by
// commas; each client opens them by itself.
enum class OptionKind { kFlag, kWhole, kNumber, kChoice, kText, kSchedule, kSchedules };

// Nothing where no value is set; a choice is one of its words. A text lives as long as where it is from.
using OptionValue = std::variant<std::monostate, bool, std::int64_t, double, std::string_view>;

struct OptionInfo {
  std::string_view id;  // "memory_limit": the flag --memory-limit; the window's control has this name
  Sentence title;       // of a control, and in reports
  Sentence help;        // what it does, in a sentence without a full stop
  Bounds<double> bounds{0, 0};
  std::string_view unit = {};
  double scale = 1;    // the member is the value times this: 10^6 where a member in bytes is given in MB
  Sentence zero = {};  // what 0 means where it is no number: "unlimited"
  Sentence none = {};  // what no value means, "no limit"; the member is 0 then, or std::nullopt
  std::span<const std::string_view> words = {};  // of a choice, in the order of its enumerators
  OptionKind text = OptionKind::kText;           // of a text: what it is
  std::string_view key = {};                     // in run files, where it is not the id
  bool later = false;                            // run files of earlier programs may lack it
  bool advanced = false;                         // seldom changed: a form may fold it away
  std::string_view python = {};                  // Python's keyword, where it is not the id
  Uses uses = 0;                                 // 0: who takes it declares it by itself
  Uses not_with_replay = 0;  // of these it is refused where the store alone is asked: it is about what runs

  std::string flag() const;  // "--memory-limit", "-r"
  std::string_view keyword() const { return python.empty() ? id : python; }
  std::string_view field() const { return key.empty() ? id : key; }
  constexpr Bounds<std::int64_t> whole_bounds() const {
    return {static_cast<std::int64_t>(bounds.least), static_cast<std::int64_t>(bounds.most)};
  }
};

// An option of a struct, and a function that sets it where that sets other members too.
template <typename T, typename M>
struct OptionRow {
  OptionInfo info;
  M T::*member;
  void (*set)(T& options, M value) = nullptr;
};
// A member that is no option: a struct with options of its own, or what only its owner knows how to give.
template <typename T, typename M, bool written>
struct MemberRow {
  M T::*member;
  std::string_view key;  // in files, where it is written
};

template <typename T, typename M>
constexpr OptionRow<T, M> option(M T::*member, OptionInfo info, std::type_identity_t<void (*)(T&, M)> set = nullptr) {
  return {info, member, set};
}
template <typename T, typename M>
constexpr MemberRow<T, M, true> member(std::string_view key, M T::*member) {
  return {member, key};
}
template <typename T, typename M>
constexpr MemberRow<T, M, false> not_written(M T::*member) {
  return {member, {}};
}

template <typename T>
inline constexpr auto kOptionTable = nullptr;
template <typename T>
concept HasOptions = !std::is_null_pointer_v<std::remove_cv_t<decltype(kOptionTable<T>)>>;

// Returns the row of a member: info_of(&Pruning::r).
template <typename T, typename M>
consteval const OptionInfo& info_of(M T::*member) {
  const OptionInfo* found = nullptr;
  const auto look = [&]<typename Row>(const Row& row) {
    if constexpr (std::is_same_v<Row, OptionRow<T, M>>) found = row.member == member ? &row.info : found;
  };
  std::apply([&](const auto&... row) { (look(row), ...); }, kOptionTable<T>);
  return *found;
}

// An option of one value of a struct, which outlives it.
struct BoundOption {
  const OptionInfo* info = nullptr;
  OptionKind kind = OptionKind::kFlag;
  std::function<OptionValue()> get;
  std::function<void(const OptionValue&)> set;
};

namespace option_detail {

template <typename M>
inline constexpr bool kIsOptional = false;
template <typename M>
inline constexpr bool kIsOptional<std::optional<M>> = true;
template <typename M>
inline constexpr bool kIsDuration = false;
template <typename Period>
inline constexpr bool kIsDuration<std::chrono::duration<double, Period>> = true;

template <typename M>
OptionKind kind_of(const OptionInfo& info) {
  if constexpr (std::is_same_v<M, bool>) return OptionKind::kFlag;
  if constexpr (std::is_enum_v<M>) return OptionKind::kChoice;
  if constexpr (std::is_same_v<M, std::string>) return info.text;
  return std::is_integral_v<M> && info.scale == 1 ? OptionKind::kWhole : OptionKind::kNumber;
}

template <typename M>
OptionValue value_of(const M& member, const OptionInfo& info) {
  if constexpr (std::is_same_v<M, bool>) {
    return member;
  } else if constexpr (std::is_enum_v<M>) {
    return info.words[static_cast<std::size_t>(member)];
  } else if constexpr (std::is_same_v<M, std::string>) {
    return member.empty() ? OptionValue() : OptionValue(std::string_view(member));
  } else if constexpr (kIsOptional<M>) {
    return member ? OptionValue(*member / info.scale) : OptionValue();
  } else if constexpr (kIsDuration<M>) {
    return value_of(member.count(), info);
  } else {
    if (member == 0 && !info.none.pattern.empty()) return {};
    if (kind_of<M>(info) == OptionKind::kWhole) return static_cast<std::int64_t>(member);
    return static_cast<double>(member) / info.scale;
  }
}

double number_of(const OptionValue& value);  // 0 of none
std::size_t index_of(const OptionValue& word, const OptionInfo& info);

template <typename M>
M member_of(const OptionValue& value, const OptionInfo& info) {
  if constexpr (std::is_same_v<M, bool>) {
    return std::get<bool>(value);
  } else if constexpr (std::is_enum_v<M>) {
    return static_cast<M>(index_of(value, info));
  } else if constexpr (std::is_same_v<M, std::string>) {
    return std::holds_alternative<std::monostate>(value) ? M() : M(std::get<std::string_view>(value));
  } else if constexpr (kIsOptional<M>) {
    return std::holds_alternative<std::monostate>(value) ? M() : M(number_of(value) * info.scale);
  } else if constexpr (std::is_integral_v<M>) {
    return static_cast<M>(std::llround(number_of(value) * info.scale));
  } else {
    return M(number_of(value) * info.scale);
  }
}

template <typename T>
void bind(T& options, Uses uses, std::vector<BoundOption>& bound);

template <typename T, typename M>
void bind_row(const OptionRow<T, M>& row, T& options, Uses uses, bool setters, std::vector<BoundOption>& bound) {
  const bool used = uses == use::kAll || (row.info.uses & uses) != 0;
  if (!used || (row.set != nullptr) != setters) return;
  bound.push_back({&row.info, kind_of<M>(row.info),
                   [&row, &options] { return value_of(options.*row.member, row.info); },
                   [&row, &options](const OptionValue& value) {
                     auto made = member_of<M>(value, row.info);
                     row.set == nullptr ? void(options.*row.member = made) : row.set(options, made);
                   }});
}
template <typename T, typename M, bool written>
void bind_row(const MemberRow<T, M, written>& row, T& options, Uses uses, bool setters,
              std::vector<BoundOption>& bound) {
  if constexpr (HasOptions<M>) {
    if (!setters) bind(options.*row.member, uses, bound);
  }
}

template <typename T>
void bind(T& options, Uses uses, std::vector<BoundOption>& bound) {
  for (const bool setters : {true, false}) {
    std::apply([&](const auto&... row) { (bind_row(row, options, uses, setters, bound), ...); }, kOptionTable<T>);
  }
}

}  // namespace option_detail

// Returns the options of a struct, and of the structs in it, that one of these uses takes, all of them of kAll. Those
// that set other members too come first, so that these have the last word where options are read in order.
template <HasOptions T>
std::vector<BoundOption> bind_options(T& options, Uses uses) {
  std::vector<BoundOption> bound;
  option_detail::bind(options, uses, bound);
  return bound;
}

// Returns the option of a struct that has this row.
template <HasOptions T>
BoundOption bind_option(T& options, const OptionInfo& info) {
  for (BoundOption& option : bind_options(options, use::kAll)) {
    if (option.info == &info) return std::move(option);
  }
  return {};
}

// Reads a value as people type it. The error says what would do, "'two' is not a whole number from 1 to 64".
Result<OptionValue> parse_option(const BoundOption& option, std::string_view text);

// Returns a value as people type it: "3", "2.5", "both", "true"; nothing of none.
std::string typed_text(const OptionValue& value);

// Returns "a whole number from 0 to 1000000 (0 = unlimited)", "one of both, parallel, merge", "true or false".
std::string allowed_text(const BoundOption& option);
// Says whether the value is none, or within the bounds.
bool allowed(const BoundOption& option, const OptionValue& value);
// Sets what is out of bounds to the nearest that is within them.
void limit_to_bounds(const std::vector<BoundOption>& options);

// Returns a value as people read it: "3", "2.5 MB", "unlimited", "on".
Message value_text(const OptionInfo& info, const OptionValue& value);

// An option whose value is another one than somewhere else.
struct OptionChange {
  const OptionInfo* info;
  OptionValue was;
  OptionValue is;
};
// Both are options of the same struct, with the same uses.
std::vector<OptionChange> changed_options(const std::vector<BoundOption>& before, const std::vector<BoundOption>& now);

}  // namespace iosx
