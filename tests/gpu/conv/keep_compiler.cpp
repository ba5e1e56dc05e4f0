// Where there is no driver, cuDNN loads the run-time compiler and unloads it again, whenever it has no precompiled
// engine. That costs 0.1 s each time, and what the compiler's library leaves behind looks like a leak. Here it stays
// loaded.
#include <dlfcn.h>

namespace {

[[maybe_unused]] void* const kCompiler = dlopen(IOS_NVRTC, RTLD_LAZY | RTLD_NODELETE);

}  // namespace
