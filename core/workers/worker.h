#pragma once

#include <string>

#include "core/devices/device.h"
#include "core/workers/host_turn.h"

namespace iosx {

// The two ends of a worker's connection. Nothing else may write to `output`.
struct WorkerEnds {
  int input = 0;
  int output = 1;
};

// Runs a worker: sends a hello, then carries out orders (core/formats/wire/worker_wire.h) with this device until its
// input ends, and returns the exit code. An unknown order gets one `Failed`, and the worker ends. If its input ends
// during work, it stops; a device that does not stop within five seconds ends with the process. With a turn given,
// measurements wait for it and report that.
int serve(Device& device, const std::string& program, const WorkerEnds& ends, HostTurn* turn = nullptr);

// Sends the reason why there is no device, in place of a hello, and returns the exit code.
int refuse(const Error& why, const WorkerEnds& ends);

// Redirects standard output, to which libraries may write, to standard error. Returns a descriptor of the original
// standard output.
int own_standard_output();

}  // namespace iosx
