#include "views/explore/experiment/experiment_table_model.h"

#include "core/analysis/experiment/report.h"
#include "views/explore/experiment/experiment_words.h"

namespace iosx {
namespace {

QStringList typeset(const std::vector<std::string>& cells) {
  QStringList typeset;
  for (const std::string& cell : cells) {
    QString text = QString::fromStdString(cell).simplified();
    text.replace(QStringLiteral("+-"), QString::fromUtf8("\u00B1\u2009"));
    text.replace(QLatin1Char('*'), QString::fromUtf8("\u2605"));
    text.replace(QLatin1Char('~'), QString::fromUtf8("\u2248"));
    typeset << text;
  }
  return typeset;
}

}  // namespace

ExperimentTableModel::ExperimentTableModel(const ExperimentResult& result, QObject* parent)
    : QAbstractTableModel(parent), names_(result.matrix() ? 1 : static_cast<int>(result.factors.size())) {
  const auto rows = experiment_rows(result);
  header_ = header_words(result);
  for (std::size_t row = 1; row < rows.size(); ++row) rows_.push_back(typeset(rows[row]));
}

int ExperimentTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ExperimentTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(header_.size());
}

QVariant ExperimentTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (role == Qt::DisplayRole) return rows_[static_cast<std::size_t>(index.row())][index.column()];
  if (role != Qt::TextAlignmentRole) return {};
  return QVariant(Qt::AlignVCenter | (index.column() < names_ ? Qt::AlignLeft : Qt::AlignRight));
}

QVariant ExperimentTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= header_.size()) return {};
  if (role == Qt::DisplayRole) return header_[section];
  if (role != Qt::TextAlignmentRole) return {};
  return QVariant(Qt::AlignVCenter | (section < names_ ? Qt::AlignLeft : Qt::AlignRight));
}

}  // namespace iosx

#include "moc_experiment_table_model.cpp"
