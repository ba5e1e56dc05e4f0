#pragma once

#include <memory>

#include "views/figures/figure.h"
#include "views/share/rivals.h"

namespace iosx {

// Makes one picture for a colleague: how many times as fast, against what, on which device, simulated or measured; the
// network as the schedule runs it; both schedules on one time axis. The network is laid out on the calling thread,
// which takes seconds for large ones.
std::unique_ptr<Figure> make_card_figure(const Rivals& rivals);

}  // namespace iosx
