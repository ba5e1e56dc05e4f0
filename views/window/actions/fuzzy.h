#pragma once

#include <QString>
#include <QStringList>
#include <cstddef>
#include <optional>
#include <vector>

namespace iosx {

// How well typed letters match a text: all of them must occur in order, with anything between. A higher score is
// better: letters at the beginning of words, consecutive letters and short texts raise it. Case does not count.
struct FuzzyMatch {
  int score = 0;
  std::vector<qsizetype> letters;  // matched ones of the text, ascending
};
std::optional<FuzzyMatch> fuzzy_match(const QString& typed, const QString& text);

// An entry of the command palette, for the search.
struct PaletteItem {
  QString id;     // the same in every start
  QString title;  // "Zoom to fit"
  QString place;  // "View", "Built-in networks"
  bool enabled = true;
};

struct Ranked {
  std::size_t item = 0;            // index into the items
  std::vector<qsizetype> letters;  // matched ones of its title
};

// Returns the matching items, the best first. Each word must match the title or else the place. Equal matches are
// sorted by recent use, then availability, then the items' order. Without typed text all are returned, the recently
// used first. `recent` are ids, the newest first.
std::vector<Ranked> rank(const std::vector<PaletteItem>& items, const QString& typed, const QStringList& recent);

}  // namespace iosx
