#pragma once

namespace iosx::lanes {

// Lets assistive technology walk through the lane board: its children are kernels, lane by lane in launch order, with
// their place and how long they take in their names; pressing one selects it. It is called as install_painted_items()
// is.
void install_accessible_lanes();

}  // namespace iosx::lanes
