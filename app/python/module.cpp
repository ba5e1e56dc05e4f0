// The module iosx._core: what the package iosx in this folder calls. It is for that package alone.

#include <utility>

#include "app/python/values.h"
#include "core/base/new_file.h"

PYBIND11_MODULE(_core, module) {
  namespace py = pybind11;
  using iosx::python::Failed;
  module.doc() = "The core of IOS Explorer, for the package iosx.";
  module.attr("__version__") = IOSX_VERSION;
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(std::move(thrown));
    } catch (const py::cast_error&) {  // pybind11's own words are about C++
      PyErr_SetString(PyExc_TypeError, "an argument is of another type than this function takes");
    } catch (const Failed& failed) {
      const py::object kind = py::module_::import("iosx._errors").attr("Error");
      const iosx::Error& error = failed.error;
      PyErr_SetObject(kind.ptr(), kind(error.what.text(), error.where, error.remedy.text()).ptr());
    }
  });
  iosx::let_large_writes_fail();
  py::module_::import("atexit").attr("register")(py::cpp_function(&iosx::python::end_calls));
  iosx::python::bind_values(module);
  iosx::python::bind_graphs(module);
  iosx::python::bind_builder(module);
  iosx::python::bind_schedules(module);
  iosx::python::bind_runs(module);
  iosx::python::bind_requests(module);
  iosx::python::bind_loaded_plans(module);
  iosx::python::bind_stores(module);
}
