#pragma once

#include <cstdint>
#include <string>

// Describe the computer that runs this program.
namespace iosx::cpu {

std::string processor_name();  // "AMD EPYC 9655"; "CPU" where the system does not tell
// Returns "25.17.1": family, model and stepping, which distinguish processors whose names a hypervisor hides; empty
// where the system does not tell.
std::string processor_model();
std::string instruction_set();    // that oneDNN uses: "AVX-512, bfloat16"
std::string onednn_version();     // "2.6.0"
bool bfloat16_available();        // in hardware
std::int64_t available_memory();  // bytes that this process may still allocate, as far as the system tells

// Clear and read the calling thread's arithmetic flag: NaN resulted from numbers, or an instruction that loses NaN
// compared one. Only x86-64 has the flag; elsewhere invalid_noted() is true.
void forget_invalid();
bool invalid_noted();

// Treats numbers too small for a normal float as zero on the calling thread, while it lives: arithmetic with them
// takes a hundred times as long, and no network needs them.
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
