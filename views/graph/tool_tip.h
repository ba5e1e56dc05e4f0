#pragma once

#include <QString>

#include "views/graph/hit.h"
#include "views/graph/scene.h"

namespace iosx::canvas {

// Rich text on the thing that was hit; empty where there is nothing to say.
QString tool_tip(const Model& model, const Layout& layout, const Hit& hit);

}  // namespace iosx::canvas
