#pragma once

#include <string>
#include <vector>

#include "core/documents/project/workspace.h"
#include "views/app_model/session.h"
#include "views/widgets/elided_combo_box.h"

namespace iosx {

// Offers the devices by where their latencies come from: those that measure here, those that workers measure on, those
// that recorded runs were measured on elsewhere, and those that are simulated, each with how far it was compared with
// measurements; and last, to add others. Closed it says the first of that, too: "Simulated · Tesla V100-SXM2".
class DeviceBox final : public ElidedComboBox {
  Q_OBJECT

 public:
  // The session must outlive the box.
  explicit DeviceBox(Session& session, QWidget* parent = nullptr);

  void showDevice(const std::string& id);  // without a signal
  const std::string& device() const { return device_; }
  QString shownText() const;  // while it is closed

 signals:
  void deviceChosen(const std::string& id);  // what runs from now on
  void othersAsked();                        // devices of workers are to be added or removed
  void runChosen(iosx::RunId run);           // the newest of the recorded device that was chosen

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
  bool isDevice(int row) const;  // that can be chosen to run on
  void choose(int row);

  Session& session_;
  std::vector<Recorded> recorded_;  // as they are listed
  std::string device_;              // that is shown
  bool filling_ = false;
};

}  // namespace iosx
