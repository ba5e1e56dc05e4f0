#include "core/base/memory_limit.h"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <limits>
#include <new>
#include <system_error>

#include "core/base/parallel.h"
#include "core/base/text.h"

namespace iosx {
namespace {

constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();
constexpr double kMegabyte = 1e6;

std::int64_t limit_bytes() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kNoLimit;
  return static_cast<std::int64_t>(std::min<rlim_t>(limit.rlim_cur, static_cast<rlim_t>(kNoLimit)));
}

// Returns the bytes of address space that the process holds; -1: unknown. It makes no strings or streams, because it
// is called without free memory.
std::int64_t held_bytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) return -1;
  long pages = 0;
  const bool read = std::fscanf(file, "%ld", &pages) == 1;  // NOLINT(cert-err34-c): the kernel's own number
  std::fclose(file);
  return read ? pages * sysconf(_SC_PAGESIZE) : -1;
}

struct Taken {
  double megabytes = 0;
  double allowed = 0;  // megabytes too
};

// Returns none where there is no limit, or where what is held is not known.
std::optional<Taken> taken() {
  const std::int64_t limit = limit_bytes();
  const std::int64_t held = limit == kNoLimit ? -1 : held_bytes();
  if (held < 0) return std::nullopt;
  return Taken{static_cast<double>(held) / kMegabyte, static_cast<double>(limit) / kMegabyte};
}

void on_no_memory() {
  if (!shares_work) throw std::bad_alloc();
  const auto known = taken();
  if (known) {
    std::fprintf(stderr,
                 "%s: there is not enough memory: %.0f MB are taken of the %.0f MB that ulimit -v allows "
                 "(allow more, or use a smaller batch or network)\n",
                 program_invocation_short_name, known->megabytes, known->allowed);
  } else {
    std::fprintf(stderr, "%s: there is not enough memory (use a smaller batch or network)\n",
                 program_invocation_short_name);
  }
  _exit(1);
}

constexpr const char* kNoThread =
    "no thread could be started: there is too little memory (ulimit -v), or there are too many processes (ulimit -u)";
// The program's name in run_to_its_end(), which sets it before any thread starts.
const char*& running_program() {
  static const char* program = "";
  return program;
}

// Returns what the current exception ran out of; empty for other exceptions.
std::string what_ran_out() {
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return out_of_memory({}).text();
  } catch (const std::system_error& error) {
    return error.code() == std::errc::resource_unavailable_try_again ? kNoThread : printable(error.what());
  } catch (const std::exception& error) {
    return printable(error.what());
  } catch (...) {
    return {};
  }
}

void say(const char* program, const std::string& what) { std::fprintf(stderr, "%s: %s\n", program, what.c_str()); }

// A thread or a function that must not throw has let an exception through.
void end_with_a_line() {
  const std::string what = std::current_exception() != nullptr ? what_ran_out() : std::string();
  if (what.empty()) std::abort();
  say(running_program(), what);
  _exit(1);
}

}  // namespace

int run_to_its_end(const char* program, FunctionRef<int()> work) {
  running_program() = program;
  std::set_terminate(end_with_a_line);
  try {
    return work();
  } catch (const std::exception&) {
    say(program, what_ran_out());
    return 1;
  }
}

void end_where_threads_are_out(const char* program) {
  say(program, kNoThread);
  _exit(1);
}

std::int64_t address_space_left() {
  const std::int64_t limit = limit_bytes();
  if (limit == kNoLimit) return kNoLimit;
  const std::int64_t held = held_bytes();
  return held < 0 ? kNoLimit : std::max<std::int64_t>(limit - held, 0);
}

Error out_of_memory(std::string where) {
  if (const auto known = taken()) {
    return {message("there is not enough memory: {:.0f} MB of the {:.0f} MB that ulimit -v allows are in use",
                    known->megabytes, known->allowed),
            std::move(where), message("allow more memory, or use a smaller batch or network")};
  }
  return {message("there is not enough memory"), std::move(where), message("use a smaller batch or network")};
}

void give_back_memory() { malloc_trim(0); }

void end_where_memory_is_out() { std::set_new_handler(on_no_memory); }

}  // namespace iosx
