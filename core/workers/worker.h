#pragma once

#include <string>

#include "core/devices/device.h"
#include "core/workers/host_turn.h"

namespace iosx {

// Says where a worker is spoken to. Nothing else may write to `output`.
struct WorkerEnds {
  int input = 0;
  int output = 1;
};

// Is a worker: says hello, then does what it is told (core/formats/wire/worker_wire.h) with this one device until its
// input ends, and returns the exit code. What is no order of this version is answered by one `Failed`, and the worker
// ends. Where its input ends while it works, it stops; a device that does not stop within five seconds ends with the
// process. What it measures waits for its turn, where one is given, and says so meanwhile.
int serve(Device& device, const std::string& program, const WorkerEnds& ends, HostTurn* turn = nullptr);

// Says in place of a hello why there is no device to serve with, and returns the exit code.
int refuse(const Error& why, const WorkerEnds& ends);

// Keeps what libraries write to standard output apart: from here on that goes to standard error. Returns the descriptor
// of what was standard output.
int own_standard_output();

}  // namespace iosx
