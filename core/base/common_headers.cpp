// An empty source for targets that exist for their precompiled headers (CMakeLists.txt).
