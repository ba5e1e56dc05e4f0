#pragma once

#include <string>
#include <vector>

#include "core/documents/project/workspace.h"
#include "views/app_model/session.h"
#include "views/widgets/fitted_text.h"

namespace iosx {

// Lists the devices by the origin of their latencies: measured here, measured by workers, recorded elsewhere, and
// simulated, by card, each with its comparison with measurements; the last entry adds others. When closed it also shows
// the origin: "Simulated · Tesla V100-SXM2".
class DeviceBox final : public ElidedComboBox {
  Q_OBJECT

 public:
  // The session must outlive the box.
  explicit DeviceBox(Session& session, QWidget* parent = nullptr);

  void showDevice(const std::string& id);  // without a signal
  const std::string& device() const { return device_; }
  QString shownText() const;  // while it is closed
  // Opens a menu of the devices, in which a card with several ways to compute is a menu of its own.
  void showPopup() override;

 signals:
  void deviceChosen(const std::string& id);  // the device of later runs
  void othersAsked();                        // opens the dialog of workers' devices
  void runChosen(iosx::RunId run);           // the newest of the chosen recorded device

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void initStyleOption(QStyleOptionComboBox* option) const override;

 private:
  struct Recorded {
    std::string device;  // its name
    RunId newest;
    friend bool operator==(const Recorded&, const Recorded&) = default;
  };

  std::vector<Recorded> recordedDevices() const;
  void fill();
  void addHeading(const QString& text);
  void addDevice(const DeviceRegistry::Entry& entry);
  void addRecorded(const Recorded& recorded);
  void addOthers();
  bool isDevice(int row) const;  // one that can run
  void choose(int row);

  Session& session_;
  std::vector<Recorded> recorded_;  // in list order
  std::string device_;              // the displayed one
  bool filling_ = false;
};

}  // namespace iosx
