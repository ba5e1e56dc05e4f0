#pragma once

namespace iosx {

class TimelineView;

// Exposes a painted timeline to screen readers: the view has a child for every shown track, that one for every lane,
// that one for every span, each with its name and its place on the screen. Spans can be pressed, which selects them.
void install_timeline_accessibility();  // for all views; once is enough

// Tells assistive technology, if any, that another span has the keyboard's focus.
void announce_current_span(TimelineView& view);

}  // namespace iosx
