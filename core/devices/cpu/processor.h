#pragma once

#include <cstdint>
#include <string>

// These functions tell what this program runs on.
namespace iosx::cpu {

std::string processor_name();  // "AMD EPYC 9655"; "CPU" if the system does not tell
// Returns "25.17.1": family, model and stepping, which tell processors apart whose names a hypervisor hides; empty if
// the system does not tell.
std::string processor_model();
std::string instruction_set();    // what oneDNN uses: "AVX-512, bfloat16"
std::string onednn_version();     // "2.6.0"
bool bfloat16_available();        // in hardware
std::int64_t available_memory();  // bytes that this process may still take, as far as the system tells

// These clear and read what the calling thread's arithmetic notes: that NaN came of numbers, or was compared by the
// instructions that lose it. On other processors than x86-64 nothing is noted, and invalid_noted() is true.
void forget_invalid();
bool invalid_noted();

// While it lives, numbers too small for a normal float count as zero on the calling thread: arithmetic with them takes
// a hundred times as long, and no network means them.
class FlushDenormals {
 public:
  FlushDenormals();
  ~FlushDenormals();
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

  // Does the same for the rest of the calling thread's life.
  static void forever();

 private:
  unsigned before_;
};

}  // namespace iosx::cpu
