#include "views/edit_schedule/accessible_lanes.h"

#include <algorithm>
#include <vector>

#include "views/edit_schedule/lane_board.h"
#include "views/widgets/painted_items.h"

namespace iosx::lanes {
namespace {

class KernelItems final : public PaintedItems {
 public:
  explicit KernelItems(LaneBoard& board) : board_(board) {}

  std::size_t count() const override { return kernels().size(); }
  QString name(std::size_t item) const override { return board_.words(kernels()[item]); }
  QRect rect(std::size_t item) const override { return board_.rectOf(kernels()[item]); }
  bool selected(std::size_t item) const override { return board_.cursor() == kernels()[item]; }
  std::optional<std::size_t> focused() const override {
    return first([&](KernelId kernel) { return kernel == board_.cursor(); });
  }
  std::optional<std::size_t> itemAt(const QPoint& at) const override {
    return first([&](KernelId kernel) { return board_.rectOf(kernel).contains(at); });
  }
  void press(std::size_t item) override {
    const KernelId kernel = kernels()[item];
    board_.selectKernel(kernel);
    board_.reveal(kernel);
  }

 private:
  std::vector<KernelId> kernels() const {
    std::vector<KernelId> all;
    for (const Row& row : board_.layoutShown().rows) {
      for (const Bar& bar : row.bars) all.push_back(bar.kernel);
    }
    return all;
  }
  template <typename Is>
  std::optional<std::size_t> first(const Is& is) const {
    const std::vector<KernelId> all = kernels();
    const auto found = std::ranges::find_if(all, is);
    return found != all.end() ? std::optional(static_cast<std::size_t>(found - all.begin())) : std::nullopt;
  }

  LaneBoard& board_;
};

}  // namespace

void install_accessible_lanes() { install_painted_items<LaneBoard, KernelItems>(); }

}  // namespace iosx::lanes
