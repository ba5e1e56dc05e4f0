#pragma once

#include <QString>
#include <QStringList>
#include <vector>

namespace iosx::test {

// One entry of a .ts file.
struct Entry {
  QString context;
  QString source;
  QString comment;           // distinguishes equal sources
  QStringList translations;  // several for one with a number
  bool finished = true;

  QString key() const { return context + QLatin1Char('\n') + source + QLatin1Char('\n') + comment; }
};

// Empty where the file cannot be read.
std::vector<Entry> read_sheet(const QString& path);

// Rows of the first table of a Markdown document: English words and their translations, separated by "、".
struct Term {
  QString english;
  QStringList chinese;
};
std::vector<Term> read_glossary(const QString& path);

}  // namespace iosx::test
