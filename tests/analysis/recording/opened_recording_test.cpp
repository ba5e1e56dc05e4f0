#include "core/analysis/recording/opened_recording.h"

#include "tests/analysis/recording/made_recordings.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

TEST(DeviceText, NamesTheDeviceAsFarAsItIsKnown) {
  Recording recording = of_lanes("aab");
  EXPECT_EQ(device_text(recording), "device 0 (100 multiprocessors)");
  recording.devices[0].name = "Tesla V100";
  EXPECT_EQ(device_text(recording), "Tesla V100 (100 multiprocessors)");
  recording.devices[0].multiprocessors.reset();
  EXPECT_EQ(device_text(recording), "Tesla V100");
  recording.devices.clear();
  EXPECT_EQ(device_text(recording), "a device");
  recording.seen_devices = {0, 1};
  EXPECT_EQ(device_text(recording), "device 0") << "which of several";
  recording.of_processor = true;
  EXPECT_EQ(device_text(recording), "the processor");
}

TEST(OpenedRecording, KnowsOfWhichKernelsTheShareIsUnknown) {
  Recording recording = of_lanes("aab");
  recording.kernels[1].grid = {};
  recording.kernels[2].kind = KernelKind::kHostCopy;
  EXPECT_EQ(look_into(recording, std::nullopt)->shares_unknown, (std::vector<bool>{false, true, false}));
  EXPECT_EQ(look_into(recording, 0.2)->shares_unknown, (std::vector<bool>{false, true, false}));
  recording.devices[0].multiprocessors.reset();
  EXPECT_EQ(look_into(recording, std::nullopt)->shares_unknown, (std::vector<bool>{true, true, false}));
}

}  // namespace
}  // namespace iosx
