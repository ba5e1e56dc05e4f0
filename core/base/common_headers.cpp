// Nothing: the source of targets that exist for their precompiled headers (CMakeLists.txt).
