# ctest includes this before it starts tests: none of them meets its user's settings, such as a list of workers, or what
# an earlier run stored.
set(home ${CMAKE_CURRENT_LIST_DIR}/home)
file(REMOVE_RECURSE ${home})
foreach(kind CONFIG DATA CACHE)
  set(ENV{XDG_${kind}_HOME} ${home}/${kind})
endforeach()
