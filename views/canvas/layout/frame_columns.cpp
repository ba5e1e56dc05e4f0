#include "views/canvas/layout/frame_columns.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "views/canvas/layout/fold.h"

namespace iosx::canvas {
namespace {

constexpr double kWorthFolding = 1.12;  // times larger on the screen
constexpr int kFoldHeights = 28;        // that are tried

// Fills columns up to the given height.
FrameColumns fill(const std::vector<Size>& sizes, double height) {
  FrameColumns columns;
  std::size_t column = 0;
  double y = 0;
  double widest = 0;
  for (const Size& size : sizes) {
    if (y > 0 && y + size.height > height) {
      columns.width += widest + kFrameColumnGap;
      ++column;
      y = 0;
      widest = 0;
    }
    columns.column_of.push_back(column);
    columns.height = std::max(columns.height, y + size.height);
    widest = std::max(widest, size.width);
    y += size.height + kFrameGap;
  }
  columns.width += widest;
  return columns;
}

bool is_open(const FramePlan& plan, std::optional<PartId> expanded) { return !expanded || *expanded == plan.part; }

}  // namespace

Size framed(const FramePlan& plan, const Size& inner, double header) {
  const double title = 60 + 7.5 * static_cast<double>(std::min<std::size_t>(plan.title.size(), 60)) + 80;
  return {std::max(inner.width + 2 * kFramePadding, title), inner.height + 2 * kFramePadding + header};
}

double FrameColumns::scale(double aspect) const { return std::min(aspect / width, 1 / height); }

FrameColumns choose_columns(const std::vector<Size>& sizes, double aspect) {
  double total = 0;
  double tallest = 0;
  for (const Size& size : sizes) {
    total += size.height + kFrameGap;
    tallest = std::max(tallest, size.height);
  }
  FrameColumns best;
  double best_scale = -1;
  for (int count = 1; count <= 60; ++count) {
    for (const double slack : {1.0, 1.06, 1.15, 1.3}) {
      FrameColumns columns = fill(sizes, std::max(tallest, slack * total / count));
      const double scale = columns.scale(aspect);
      if (scale <= best_scale * 1.000001) continue;
      best_scale = scale;
      best = std::move(columns);
    }
  }
  return best;
}

bool nearly_as_large(double scale, double other) { return scale * kWorthFolding >= other; }

double frames_scale(const std::vector<FramePlan>& plans, const std::vector<FrameLayout>& layouts, double aspect,
                    std::optional<PartId> expanded) {
  std::vector<Size> sizes;
  for (std::size_t f = 0; f < plans.size(); ++f) {
    if (is_open(plans[f], expanded)) sizes.push_back(framed(plans[f], layouts[f].size));
  }
  return sizes.empty() ? 0 : choose_columns(sizes, aspect).scale(aspect);
}

std::optional<Fold> find_fold(const std::vector<FramePlan>& plans, const std::vector<FrameLayout>& layouts,
                              double aspect, std::optional<PartId> expanded) {
  std::vector<std::size_t> frames;  // that are open
  std::vector<Folder> folders;      // of these
  std::vector<Size> sizes;
  double tallest = 0;
  double area = 0;
  double least = 0;  // height under which folding does not help
  for (std::size_t f = 0; f < plans.size(); ++f) {
    if (!is_open(plans[f], expanded)) continue;
    frames.push_back(f);
    folders.emplace_back(plans[f], layouts[f]);
    sizes.push_back(framed(plans[f], layouts[f].size));
    tallest = std::max(tallest, layouts[f].size.height);
    area += sizes.back().width * sizes.back().height;
    least = std::max(least, folders.back().foldable() ? folders.back().tallestLayer() : layouts[f].size.height);
  }
  if (frames.empty()) return std::nullopt;
  least = std::max(least, std::sqrt(area / aspect) / 2);
  Fold best{0, choose_columns(sizes, aspect).scale(aspect) * kWorthFolding};
  const double step = std::pow(least / tallest, 1.0 / kFoldHeights);
  double tried = tallest * step;
  for (int i = 0; i < kFoldHeights && tried > 0 && tallest > least; ++i, tried *= step) {
    for (std::size_t k = 0; k < frames.size(); ++k) {
      const bool tall = layouts[frames[k]].size.height > tried && folders[k].foldable();
      sizes[k] = framed(plans[frames[k]], tall ? folders[k].size(tried) : layouts[frames[k]].size);
    }
    const double scale = choose_columns(sizes, aspect).scale(aspect);
    if (scale > best.scale) best = {tried, scale};
  }
  return best.height > 0 ? std::optional(best) : std::nullopt;
}

void fold_frames(const std::vector<FramePlan>& plans, std::vector<FrameLayout>& layouts, double height,
                 std::optional<PartId> expanded) {
  for (std::size_t f = 0; f < plans.size(); ++f) {
    if (!is_open(plans[f], expanded) || layouts[f].size.height <= height) continue;
    const Folder folder(plans[f], layouts[f]);
    if (!folder.foldable()) continue;
    FrameLayout folded = folder.fold(height);  // before what it reads is replaced
    layouts[f] = std::move(folded);
  }
}

void fold_tall_frames(const std::vector<FramePlan>& plans, std::vector<FrameLayout>& layouts, double aspect,
                      std::optional<PartId> expanded) {
  if (const auto fold = find_fold(plans, layouts, aspect, expanded)) {
    fold_frames(plans, layouts, fold->height, expanded);
  }
}

}  // namespace iosx::canvas
