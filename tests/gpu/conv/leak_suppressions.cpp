// cuDNN makes a cuBLASLt handle for each proposal that needs one. Without a driver that fails, and cuBLASLt forgets the
// 192 bytes that it took for it. Everything else that leaks is reported, cuDNN's descriptors, which are ours, included.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the leak sanitizer's name for it
extern "C" const char* __lsan_default_suppressions();
// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" const char* __lsan_default_suppressions() { return "leak:libcublasLt.so"; }
