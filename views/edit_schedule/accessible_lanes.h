#pragma once

namespace iosx::lanes {

// Exposes the lane board to assistive technology: its children are kernels, lane by lane in launch order, with place
// and duration in their names; pressing one selects it. Call it like install_painted_items().
void install_accessible_lanes();

}  // namespace iosx::lanes
