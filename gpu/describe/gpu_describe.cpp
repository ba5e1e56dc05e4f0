// Writes cuDNN's description of a GPU, for making plans without the GPU: gpu_describe FILE [NUMBER].
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>

#include "gpu/ops/conv/cudnn_descriptor.h"

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    std::fprintf(stderr, "usage: gpu_describe FILE [NUMBER]\n");
    return 2;
  }
  try {
    const std::string description = iosx::gpu::device_description(argc == 3 ? std::atoi(argv[2]) : 0);
    std::ofstream file(argv[1]);
    file << description << '\n';
    if (!file.flush()) {
      std::fprintf(stderr, "gpu_describe: %s: cannot be written\n", argv[1]);
      return 1;
    }
    std::printf("wrote %zu bytes to %s\n", description.size() + 1, argv[1]);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gpu_describe: %s\n", error.what());
    return 1;
  }
}
