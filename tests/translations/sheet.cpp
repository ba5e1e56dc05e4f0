#include "tests/translations/sheet.h"

#include <QFile>
#include <QXmlStreamReader>

namespace iosx::test {
namespace {

QString text_of(QXmlStreamReader& xml) { return xml.readElementText(QXmlStreamReader::IncludeChildElements); }

void read_translation(QXmlStreamReader& xml, Entry& entry) {
  entry.finished = !xml.attributes().hasAttribute(QStringLiteral("type"));
  QString plain;
  while (!xml.atEnd()) {
    xml.readNext();
    if (xml.isEndElement()) break;
    if (xml.isCharacters()) plain += xml.text();
    if (xml.isStartElement()) entry.translations << text_of(xml);  // <numerusform>
  }
  if (entry.translations.isEmpty()) entry.translations << plain;
}

}  // namespace

std::vector<Entry> read_sheet(const QString& path) {
  std::vector<Entry> entries;
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return entries;
  QXmlStreamReader xml(&file);
  QString context;
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    const QString name = xml.name().toString();
    if (name == QStringLiteral("name")) context = text_of(xml);
    if (name == QStringLiteral("message")) entries.emplace_back().context = context;
    if (name == QStringLiteral("source")) entries.back().source = text_of(xml);
    if (name == QStringLiteral("comment")) entries.back().comment = text_of(xml);
    if (name == QStringLiteral("translation")) read_translation(xml, entries.back());
  }
  return xml.hasError() ? std::vector<Entry>{} : entries;
}

std::vector<Term> read_glossary(const QString& path) {
  std::vector<Term> terms;
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return terms;
  for (const QString& line : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'))) {
    const QStringList cells = line.split(QLatin1Char('|'));
    if (cells.size() != 4 || cells[1].trimmed() == QStringLiteral("English") ||
        cells[1].contains(QStringLiteral("---")))
      continue;
    terms.push_back({cells[1].trimmed(), cells[2].trimmed().split(QString::fromUtf8("、"))});
  }
  return terms;
}

}  // namespace iosx::test
