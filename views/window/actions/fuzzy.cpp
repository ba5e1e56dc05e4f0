#include "views/window/actions/fuzzy.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace iosx {
namespace {

constexpr int kLetter = 2;
constexpr int kWordStart = 10;
constexpr int kInARow = 8;
constexpr int kTextStart = 6;
constexpr int kMostForShort = 12;  // of a text of no length; less by one for every letter more than typed
constexpr int kOnlyInPlace = -40;  // for a word that only the place has
constexpr int kUsedLast = 6;       // for the newest; less for older ones
constexpr int kNever = std::numeric_limits<int>::min() / 4;
constexpr qsizetype kLongest = 200;  // letters of a text that are looked at

bool begins_word(const QString& text, qsizetype at) {
  if (at == 0) return true;
  const QChar before = text[at - 1];
  return !before.isLetterOrNumber() || (text[at].isUpper() && before.isLower()) ||
         (text[at].isDigit() && !before.isDigit());
}

int value_at(const QString& text, qsizetype at) {
  return kLetter + (begins_word(text, at) ? kWordStart : 0) + (at == 0 ? kTextStart : 0);
}

}  // namespace

// best[i][j] is of the first i + 1 typed letters, the last of them at text[j]. For "op" in "open loop", o-p in a row at
// the beginning beats the later ones.
std::optional<FuzzyMatch> fuzzy_match(const QString& typed, const QString& whole) {
  const QString text = whole.left(kLongest);
  const qsizetype n = typed.size();
  const qsizetype m = text.size();
  if (n == 0) return FuzzyMatch{};
  if (n > m) return std::nullopt;
  const QString wanted = typed.toCaseFolded();
  const QString letters = text.toCaseFolded();
  if (wanted.size() != n || letters.size() != m) return std::nullopt;  // folding made letters of other lengths
  std::vector<std::vector<int>> best(static_cast<std::size_t>(n),
                                     std::vector<int>(static_cast<std::size_t>(m), kNever));
  std::vector<std::vector<qsizetype>> from(static_cast<std::size_t>(n),
                                           std::vector<qsizetype>(static_cast<std::size_t>(m), -1));
  for (qsizetype i = 0; i < n; ++i) {
    auto& row = best[static_cast<std::size_t>(i)];
    int before = kNever;  // the best of the letter before, up to two letters back: next to this one counts on its own
    qsizetype before_at = -1;
    for (qsizetype j = i; j < m; ++j) {
      if (i > 0 && j >= 2) {
        const int candidate = best[static_cast<std::size_t>(i - 1)][static_cast<std::size_t>(j - 2)];
        if (candidate > before) {
          before = candidate;
          before_at = j - 2;
        }
      }
      if (letters[j] != wanted[i]) continue;
      int reached = i == 0 ? 0 : before;
      qsizetype reached_from = i == 0 ? -1 : before_at;
      if (i > 0) {
        const int beside = best[static_cast<std::size_t>(i - 1)][static_cast<std::size_t>(j - 1)];
        if (beside > kNever && beside + kInARow >= reached) {
          reached = beside + kInARow;
          reached_from = j - 1;
        }
      }
      if (reached <= kNever) continue;
      row[static_cast<std::size_t>(j)] = reached + value_at(text, j);
      from[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = reached_from;
    }
  }
  const auto& last = best.back();
  const auto top = std::ranges::max_element(last);  // the first of equals
  if (*top <= kNever) return std::nullopt;
  FuzzyMatch match;
  match.score = *top + std::max(0, kMostForShort - static_cast<int>(m - n));
  qsizetype at = top - last.begin();
  for (qsizetype i = n; i-- > 0;) {
    match.letters.push_back(at);
    at = from[static_cast<std::size_t>(i)][static_cast<std::size_t>(at)];
  }
  std::ranges::reverse(match.letters);
  return match;
}

namespace {

std::optional<FuzzyMatch> match_words(const PaletteItem& item, const QStringList& words) {
  FuzzyMatch all;
  for (const QString& word : words) {
    if (const auto title = fuzzy_match(word, item.title)) {
      all.score += title->score;
      all.letters.insert(all.letters.end(), title->letters.begin(), title->letters.end());
    } else if (const auto place = fuzzy_match(word, item.place)) {
      all.score += place->score + kOnlyInPlace;
    } else {
      return std::nullopt;
    }
  }
  std::ranges::sort(all.letters);
  all.letters.erase(std::unique(all.letters.begin(), all.letters.end()), all.letters.end());
  return all;
}

}  // namespace

std::vector<Ranked> rank(const std::vector<PaletteItem>& items, const QString& typed, const QStringList& recent) {
  const QStringList words = typed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  struct Found {
    Ranked ranked;
    int score;
    qsizetype age;  // place among the recent
    bool disabled;
  };
  std::vector<Found> found;
  for (std::size_t i = 0; i < items.size(); ++i) {
    auto match = match_words(items[i], words);
    if (!match) continue;
    const qsizetype at = recent.indexOf(items[i].id);
    const qsizetype age = at < 0 ? recent.size() : at;
    const int bonus = words.isEmpty() || at < 0 ? 0 : std::max(1, kUsedLast - static_cast<int>(at));
    found.push_back({{i, std::move(match->letters)}, match->score + bonus, age, !items[i].enabled});
  }
  const auto order = [](const Found& each) {
    return std::tuple(-each.score, each.age, each.disabled, each.ranked.item);
  };
  std::ranges::sort(found, [&](const Found& a, const Found& b) { return order(a) < order(b); });
  std::vector<Ranked> ranked;
  ranked.reserve(found.size());
  for (Found& each : found) ranked.push_back(std::move(each.ranked));
  return ranked;
}

}  // namespace iosx
