// Implements OpenMP for oneDNN on our own threads.
//
// Debian's libdnnl takes its threads from OpenMP through the six functions below, which libgomp would provide. Those
// in the program itself take precedence, so oneDNN's parallel loops run on the team of the thread that executes a
// primitive. libgomp cannot do that: each of its master threads has its own workers, which no other lane can use;
// these spin for milliseconds after every loop on cores that other lanes need; and it synchronises invisibly to the
// thread sanitizer. A library that uses other parts of OpenMP gets one thread from us, consistent with libgomp's other
// functions.
//
// The linker options in CMakeLists.txt keep this file in programs, which do not mention its functions, and make them
// visible to libdnnl.

#include "core/base/check.h"
#include "core/devices/cpu/team.h"

using iosx::Seat;
using iosx::Team;

extern "C" {

// threads = 0: as many as there are. The flags name a processor binding, which we do not promise.
void GOMP_parallel(void (*function)(void*), void* data, unsigned threads, unsigned /*flags*/) {
  Team& team = Team::current();
  const Seat& seat = Team::seat();
  // A primitive that was made for more threads would leave work undone, silently.
  IOS_CHECK(seat.team == nullptr || seat.forked || threads <= static_cast<unsigned>(team.size()));
  const int wanted = threads > static_cast<unsigned>(team.size()) ? team.size() : static_cast<int>(threads);
  team.parallel(wanted, [&](int) { function(data); });
}

void GOMP_barrier() { Team::current().barrier(); }
int omp_get_max_threads() { return Team::current().size(); }
int omp_get_num_threads() { return Team::seat().threads; }
int omp_get_thread_num() { return Team::seat().index; }
int omp_in_parallel() { return Team::seat().forked ? 1 : 0; }

}  // extern "C"
