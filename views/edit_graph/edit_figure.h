#pragma once

#include <memory>

#include "core/model/edit/check.h"
#include "core/model/edit/editable_graph.h"
#include "views/edit_graph/edit_scene.h"
#include "views/figures/figure.h"

namespace iosx::editor {

// Makes the whole drawing in full detail, mistakes marked; as a table it has every operator with what it reads, gives
// and what is wrong with it. The scene must outlive it and stay as it is.
std::unique_ptr<Figure> edit_figure(const EditableGraph& graph, const GraphCheck& check, const EditScene& scene);

}  // namespace iosx::editor
