#pragma once

#include <cstddef>
#include <memory>

#include "core/model/schedule/schedule.h"
#include "views/canvas/layout/layout.h"

namespace iosx::canvas::test {

// Fixed widths, so that layouts do not depend on installed fonts.
TextStyle plain_style();

// n units in `parts` equal parts: four-way branches joined by a concat, repeatedly.
std::shared_ptr<const Graph> branches(std::size_t units, std::size_t parts);

// Stages of a diamond and more: a stage of two groups, one of them with two steps; a merged step; single units.
struct Scheduled {
  std::shared_ptr<const Graph> graph;
  Schedule schedule;
};
Scheduled small_scheduled();

Layout lay_out(std::shared_ptr<const Graph> graph, const Schedule* schedule = nullptr);

}  // namespace iosx::canvas::test
