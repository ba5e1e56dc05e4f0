#include "core/operators/sessions.h"

#include <array>

namespace iosx::sessions {

// Data sheets of NVIDIA. The cards differ from the descriptions in clock, bandwidth or memory (V100 PCIe and DGX-1,
// A100 of 40 and 80 GB on PCIe, two P100), or have none (GTX 1080 Ti and M40, next to the P4: Pascal, and Maxwell
// before it).
std::span<const Card> cards() {
  // name, description, multiprocessors, GHz, TFLOP/s, GB/s, L2 in MiB and bytes a clock, float16 TFLOP/s, KiB of L1,
  // part of the clock that its power leaves to dense float32
  static constexpr std::array<Card, 13> kCards{{
      {"Tesla V100-PCIE-32GB", "tesla-v100", 80, 1.38, 14.1, 900, 6, 2048, 112, 128, 1},
      {"Tesla V100 (DGX-1)", "tesla-v100", 80, 1.53, 15.7, 900, 6, 2048, 125, 128, 1},
      {"Tesla T4", "tesla-t4-streams", 40, 1.59, 8.1, 320, 4, 1280, 65, 64, 0.525},
      {"NVIDIA A100 80GB PCIe", "a100-streams", 108, 1.41, 19.5, 1935, 40, 5120, 312, 192, 1},
      {"NVIDIA A100-PCIE-40GB", "a100-streams", 108, 1.41, 19.5, 1555, 40, 5120, 312, 192, 0.908},
      {"Tesla P100-PCIE-16GB", "tesla-p100", 56, 1.303, 9.3, 732, 4, 1024, 0, 48, 1},
      {"Tesla P100", "tesla-p100", 56, 1.48, 10.6, 732, 4, 1024, 0, 48, 1},
      {"Tesla P4", "tesla-p4", 20, 1.063, 5.5, 192, 2, 1024, 0, 48, 0.828},
      {"GTX 1080 Ti", "tesla-p4", 28, 1.582, 11.3, 484, 2.75, 1408, 0, 48, 0.9},
      {"Tesla M40", "tesla-p4", 24, 1.112, 6.8, 288, 3, 768, 0, 48, 0.625},
      {"NVIDIA H100 80GB HBM3", "h100-streams", 132, 1.98, 66.9, 3350, 50, 5120, 989, 256, 0.9},
      {"NVIDIA H200", "h200-streams", 132, 1.98, 66.9, 4800, 50, 5120, 989, 256, 0.9},
      {"NVIDIA L4", "l4-streams", 58, 2.04, 30.3, 300, 48, 2048, 121, 128, 0.273},
  }};
  return kCards;
}

namespace {

struct Row {
  std::string_view source;
  std::string_view device;
  std::string_view kind;
  Session session;
};

// Fitted with the kernel model to three of four rows of each session. NeuSight's sessions hold 15 to 70 µs of PyTorch
// before the first kernel; those of its convolutions grow with the number of convolutions before. Its streams are never
// faster than PyTorch's host. DeepBench's hold 2 to 9 µs of its loop.
constexpr std::array<Row, 67> kRows{{
    {"deepbench", "GTX 1080 Ti", "conv", {1.067, 6.339, 0, 0}},
    {"deepbench", "GTX 1080 Ti", "gemm", {1.036, 2.985, 0, 0}},
    {"deepbench", "Tesla M40", "conv", {0.679, 6.123, 0, 0}},
    {"deepbench", "Tesla M40", "gemm", {0.611, 76.751, 0, 0}},
    {"deepbench", "Tesla P100", "conv", {0.75, 6.451, 0, 0}},
    {"deepbench", "Tesla P100", "gemm", {0.905, 2.803, 0, 0}},
    {"deepbench", "Tesla T4", "conv", {0.688, 5.935, 0, 0}},
    {"deepbench", "Tesla T4", "conv16", {0.975, 8.611, 0, 0}},
    {"deepbench", "Tesla T4", "gemm", {0.56, 3.07, 0, 0}},
    {"deepbench", "Tesla T4", "gemm16", {0.914, 5.604, 0, 0}},
    {"deepbench", "Tesla V100 (DGX-1)", "conv", {1.068, 6.412, 0, 0}},
    {"deepbench", "Tesla V100 (DGX-1)", "conv16", {1.3, 7.806, 0, 0}},
    {"deepbench", "Tesla V100 (DGX-1)", "gemm", {0.967, 2.963, 0, 0}},
    {"deepbench", "Tesla V100 (DGX-1)", "gemm16", {1.203, 5.974, 0, 0}},
    {"neusight", "NVIDIA A100 80GB PCIe", "add", {1, 15.022, 0, 0}},
    {"neusight", "NVIDIA A100 80GB PCIe", "bmm", {1.08, 35.937, 0, 0}},
    {"neusight", "NVIDIA A100 80GB PCIe", "conv", {0.789, 29.84, 55.718, 0}},
    {"neusight", "NVIDIA A100 80GB PCIe", "linear", {1, 31.755, 0, 0}},
    {"neusight", "NVIDIA A100 80GB PCIe", "ln", {1, 36.838, 0, 0}},
    {"neusight", "NVIDIA A100 80GB PCIe", "mul", {1, 15.003, 0, 0}},
    {"neusight", "NVIDIA A100 80GB PCIe", "relu", {1, 16.745, 0, 95}},
    {"neusight", "NVIDIA A100 80GB PCIe", "softmax", {1, 22.382, 0, 0}},
    {"neusight", "NVIDIA A100 80GB PCIe", "tanh", {1, 15.357, 0, 86.493}},
    {"neusight", "NVIDIA A100-PCIE-40GB", "add", {0.908, 16.485, 0, 26.735}},
    {"neusight", "NVIDIA A100-PCIE-40GB", "bmm", {0.99, 29.857, 0, 0}},
    {"neusight", "NVIDIA A100-PCIE-40GB", "linear", {0.905, 31.794, 0, 0}},
    {"neusight", "NVIDIA A100-PCIE-40GB", "ln", {0.908, 59.507, 0, 0}},
    {"neusight", "NVIDIA A100-PCIE-40GB", "mul", {0.908, 15.215, 0, 0}},
    {"neusight", "NVIDIA A100-PCIE-40GB", "relu", {0.908, 20.652, 0, 31.692}},
    {"neusight", "NVIDIA A100-PCIE-40GB", "softmax", {0.908, 26.702, 0, 0}},
    {"neusight", "NVIDIA A100-PCIE-40GB", "tanh", {0.908, 14.672, 0, 90.051}},
    {"neusight", "Tesla P100-PCIE-16GB", "add", {1, 22.351, 0, 44.781}},
    {"neusight", "Tesla P100-PCIE-16GB", "bmm", {1.02, 27.944, 0, 0}},
    {"neusight", "Tesla P100-PCIE-16GB", "conv", {0.968, 34.041, 142.33, 0}},
    {"neusight", "Tesla P100-PCIE-16GB", "linear", {0.849, 29.133, 0, 0}},
    {"neusight", "Tesla P100-PCIE-16GB", "ln", {1, 70.363, 0, 0}},
    {"neusight", "Tesla P100-PCIE-16GB", "mul", {1, 14.965, 0, 0}},
    {"neusight", "Tesla P100-PCIE-16GB", "relu", {1, 32.072, 0, 57.629}},
    {"neusight", "Tesla P100-PCIE-16GB", "softmax", {1, 51.215, 0, 0}},
    {"neusight", "Tesla P100-PCIE-16GB", "tanh", {1, 15.557, 0, 0}},
    {"neusight", "Tesla P4", "add", {0.828, 14.19, 0, 26.626}},
    {"neusight", "Tesla P4", "bmm", {0.83, 30.679, 0, 0}},
    {"neusight", "Tesla P4", "conv", {0.88, 31.171, 125.997, 0}},
    {"neusight", "Tesla P4", "linear", {0.927, 29.954, 0, 0}},
    {"neusight", "Tesla P4", "ln", {0.828, 41.992, 0, 0}},
    {"neusight", "Tesla P4", "mul", {0.828, 14.994, 0, 0}},
    {"neusight", "Tesla P4", "relu", {0.828, 17.247, 0, 33.44}},
    {"neusight", "Tesla P4", "softmax", {0.828, 21.212, 0, 0}},
    {"neusight", "Tesla P4", "tanh", {0.828, 14.99, 0, 0}},
    {"neusight", "Tesla T4", "add", {0.525, 13.023, 0, 26.639}},
    {"neusight", "Tesla T4", "bmm", {0.59, 30.974, 0, 0}},
    {"neusight", "Tesla T4", "conv", {0.732, 31.699, 80.574, 0}},
    {"neusight", "Tesla T4", "linear", {0.537, 30.277, 0, 0}},
    {"neusight", "Tesla T4", "ln", {0.525, 37.087, 0, 0}},
    {"neusight", "Tesla T4", "mul", {0.525, 14.959, 0, 0}},
    {"neusight", "Tesla T4", "relu", {0.525, 19.152, 0, 34.621}},
    {"neusight", "Tesla T4", "softmax", {0.525, 38.997, 0, 0}},
    {"neusight", "Tesla T4", "tanh", {0.525, 15.331, 0, 0}},
    {"neusight", "Tesla V100-PCIE-32GB", "add", {1, 17.061, 0, 32.541}},
    {"neusight", "Tesla V100-PCIE-32GB", "bmm", {1.11, 30.738, 0, 0}},
    {"neusight", "Tesla V100-PCIE-32GB", "conv", {0.995, 32.686, 53.961, 0}},
    {"neusight", "Tesla V100-PCIE-32GB", "linear", {1.055, 30.807, 0, 0}},
    {"neusight", "Tesla V100-PCIE-32GB", "ln", {1, 43.786, 0, 0}},
    {"neusight", "Tesla V100-PCIE-32GB", "mul", {1, 15.023, 0, 0}},
    {"neusight", "Tesla V100-PCIE-32GB", "relu", {1, 21.396, 0, 39.478}},
    {"neusight", "Tesla V100-PCIE-32GB", "softmax", {1, 32.428, 0, 0}},
    {"neusight", "Tesla V100-PCIE-32GB", "tanh", {1, 15.931, 0, 0}},
}};

}  // namespace

std::optional<Session> find(std::string_view source, std::string_view device, std::string_view kind) {
  for (const Row& row : kRows) {
    if (row.source == source && row.device == device && row.kind == kind) return row.session;
  }
  return std::nullopt;
}

}  // namespace iosx::sessions
