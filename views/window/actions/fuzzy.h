#pragma once

#include <QString>
#include <QStringList>
#include <cstddef>
#include <optional>
#include <vector>

namespace iosx {

// Says how well letters that somebody typed fit a text: all of them must be in it in their order, whatever stands
// between. Higher is better: letters at the beginning of words, letters in a row and short texts count. Case does not.
struct FuzzyMatch {
  int score = 0;
  std::vector<qsizetype> letters;  // of the text, that were matched, ascending
};
std::optional<FuzzyMatch> fuzzy_match(const QString& typed, const QString& text);

// Describes what the command palette offers, as far as finding it goes.
struct PaletteItem {
  QString id;     // the same from start to start
  QString title;  // "Zoom to fit"
  QString place;  // "View", "Built-in networks"
  bool enabled = true;
};

struct Ranked {
  std::size_t item = 0;            // index into the items
  std::vector<qsizetype> letters;  // of its title, that were typed
};

// Returns the items that fit, the best first. Words are looked for one by one, in the title or else in the place. Of
// those that fit alike the recently used come first, then those that can be used, then the order of the items. Where
// nothing is typed, all are returned, the recently used first. `recent` are ids, the newest first.
std::vector<Ranked> rank(const std::vector<PaletteItem>& items, const QString& typed, const QStringList& recent);

}  // namespace iosx
