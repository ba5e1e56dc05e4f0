#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "views/tables/describe.h"

namespace iosx {

// Shows properties, one per row: name and value. Headings are bold and have no value.
class InspectorModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { kName, kValue, kColumnCount };

  using QAbstractTableModel::QAbstractTableModel;

  void setProperties(std::vector<Property> properties);
  const std::vector<Property>& properties() const { return properties_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  std::vector<Property> properties_;
};

}  // namespace iosx
