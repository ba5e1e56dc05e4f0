// This file is empty: it is the source of targets that exist for their precompiled headers (CMakeLists.txt).
