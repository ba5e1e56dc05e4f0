# Kernels on the host, compiled by the C++ compiler.
add_library(gpu_run_on_host STATIC ${CMAKE_CURRENT_LIST_DIR}/run_on_host.cpp)
target_link_libraries(gpu_run_on_host PUBLIC ios_flags ios_gpu_nest ios_layout ios_cuda)
