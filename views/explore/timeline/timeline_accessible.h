#pragma once

namespace iosx {

class TimelineView;

// Says what screen readers see of a painted timeline: the view has a child for every track shown, that one for every
// lane, that one for every span, each with its name and its place on the screen. Spans can be pressed, which selects
// them.
void install_timeline_accessibility();  // for all views; once is enough

// Tells assistive technology, where there is any, that another span has the keyboard's focus.
void announce_current_span(TimelineView& view);

}  // namespace iosx
