#pragma once

#include <span>
#include <string_view>

namespace iosx::engines {

// The Python files of resources/engines, which are part of the program.
struct AdapterFile {
  std::string_view name;  // "onnxruntime.py", "shared/onnx_module.py"
  std::string_view text;
};
std::span<const AdapterFile> adapter_files();

// What all adapters import; it is none itself, nor is what lies in a folder.
inline constexpr std::string_view kSharedFile = "protocol.py";

}  // namespace iosx::engines
