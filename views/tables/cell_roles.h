#pragma once

#include <qnamespace.h>

// These roles say what the cells of a table hold beside their text, for whoever sorts and draws them.
namespace iosx::cell {

inline constexpr int kSort = Qt::UserRole;        // number or text to sort by
inline constexpr int kBar = Qt::UserRole + 1;     // double, 0 to 1: how much of the cell a bar fills
inline constexpr int kChips = Qt::UserRole + 2;   // QStringList: pieces that are drawn each in a frame
inline constexpr int kPrefix = Qt::UserRole + 3;  // QString: what all chips have in common, drawn once
inline constexpr int kGlyph = Qt::UserRole + 4;   // int of Glyph, drawn in place of the text where there is little room
inline constexpr int kFilter = Qt::UserRole + 5;  // QString: what a filter looks through, of the whole row

// double, -1 to 1: a bar from the middle of the cell, of what is saved to the right, of what is lost to the left.
inline constexpr int kGain = Qt::UserRole + 6;

// Of a row in which a text, a bar and a figure stand side by side: double, -1 to 1, of what it costs, and the figure.
inline constexpr int kCost = Qt::UserRole + 7;
inline constexpr int kFigure = Qt::UserRole + 8;  // QString

// QString: the value in documents, with all digits; of a head, the column's name there.
inline constexpr int kExact = Qt::UserRole + 9;

// Says how a stage runs: one thing after another, side by side, merged into one.
enum class Glyph { kOne, kConcurrent, kMerge };

}  // namespace iosx::cell
