#include "views/window/start/zoo_figures.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

namespace iosx {
namespace {

constexpr Sentence kRemedy{"make it anew with tests/bench/zoo_figures.py"};

}  // namespace

Result<std::vector<ZooFigure>> zoo_figures(std::string_view json) {
  const QJsonDocument document = QJsonDocument::fromJson(QByteArray(json.data(), static_cast<qsizetype>(json.size())));
  const QJsonArray rows = document.object().value(QStringLiteral("figures")).toArray();
  if (rows.isEmpty()) return fail(message("the table of the zoo's figures has no rows"), "figures", kRemedy);
  std::vector<ZooFigure> figures;
  for (const QJsonValue& value : rows) {
    const QJsonObject row = value.toObject();
    ZooFigure figure{.network = row.value(QStringLiteral("network")).toString().toStdString(),
                     .device = row.value(QStringLiteral("device")).toString().toStdString(),
                     .sequential = Millis(row.value(QStringLiteral("sequential_ms")).toDouble()),
                     .ios = Millis(row.value(QStringLiteral("ios_ms")).toDouble())};
    if (figure.network.empty() || figure.device.empty() || figure.sequential <= Millis(0) || figure.ios <= Millis(0)) {
      return fail(message("a row of the table of the zoo's figures lacks something"),
                  "row " + std::to_string(figures.size() + 1), kRemedy);
    }
    figures.push_back(std::move(figure));
  }
  return figures;
}

Result<std::vector<ZooFigure>> built_in_zoo_figures() {
  QFile file(QStringLiteral(":/zoo/figures.json"));
  if (!file.open(QIODevice::ReadOnly))
    return fail(message("the table of the zoo's figures is missing"), "figures.json", kRemedy);
  return zoo_figures(file.readAll().toStdString());
}

const ZooFigure* find(const std::vector<ZooFigure>& figures, std::string_view network, std::string_view device) {
  const auto found = std::ranges::find_if(
      figures, [&](const ZooFigure& each) { return each.network == network && each.device == device; });
  return found == figures.end() ? nullptr : &*found;
}

}  // namespace iosx
