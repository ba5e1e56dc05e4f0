#pragma once

#include <memory>

#include "core/model/edit/check.h"
#include "core/model/edit/editable_graph.h"
#include "views/edit_graph/edit_scene.h"
#include "views/figures/figure.h"

namespace iosx::editor {

// Makes a figure of the whole drawing in full detail, with problems marked; its table has every operator with inputs,
// output and problems. The scene must outlive it unchanged.
std::unique_ptr<Figure> edit_figure(const EditableGraph& graph, const GraphCheck& check, const EditScene& scene);

}  // namespace iosx::editor
