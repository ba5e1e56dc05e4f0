#pragma once

#include <span>
#include <string_view>

namespace iosx::engines {

// A Python file of resources/engines, compiled into the program.
struct AdapterFile {
  std::string_view name;  // "onnxruntime.py", "shared/onnx_module.py"
  std::string_view text;
};
std::span<const AdapterFile> adapter_files();

// The module that all adapters import. It is not an adapter itself, nor is any file in a subfolder.
inline constexpr std::string_view kSharedFile = "protocol.py";

}  // namespace iosx::engines
