// The module iosx._core: what the package iosx in this folder calls. It is for that package alone.

#include <fmt/format.h>

#include <utility>

#include "app/python/binding.h"
#include "app/python/values.h"
#include "core/base/files.h"

namespace {

// Python's first pickle protocols ask the class behind an object's class for a new object, which ends the process.
pybind11::object cannot_pickle(const pybind11::object& self, const pybind11::args& /*protocol*/) {
  throw pybind11::type_error(fmt::format("cannot pickle '{}' object", Py_TYPE(self.ptr())->tp_name));
}

// Has every class's objects made by its constructor, if it has one, or by the package alone. Of T.__new__(T), which
// copy and pickle call, pybind11 would make an object without a value, and give methods memory that nobody wrote; where
// a class has its own way of making objects, Python refuses to call that of the class behind it. Nothing can be
// pickled.
void seal(const pybind11::module_& module) {
  namespace py = pybind11;
  for (const auto& [name, value] : py::dict(module.attr("__dict__"))) {
    if (!py::isinstance<py::type>(value)) continue;
    auto* const type = reinterpret_cast<PyTypeObject*>(value.ptr());
    if (py::detail::get_type_info(type) == nullptr) continue;
    const bool constructed = py::dict(value.attr("__dict__")).contains("__init__");
    type->tp_new = constructed ? [](PyTypeObject* of, PyObject* arguments,
                                    PyObject* named) { return py::detail::pybind11_object_new(of, arguments, named); }
                               : [](PyTypeObject* of, PyObject*, PyObject*) {
                                   PyErr_Format(PyExc_TypeError, "objects of the class %s cannot be created directly",
                                                of->tp_name);
                                   return static_cast<PyObject*>(nullptr);
                                 };
    for (const char* way : {"__reduce__", "__reduce_ex__"}) {
      value.attr(way) = py::cpp_function(cannot_pickle, py::name(way), py::is_method(value));
    }
    PyType_Modified(type);
  }
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  namespace py = pybind11;
  using iosx::python::Failed;
  using iosx::python::in_python;
  using iosx::python::python_text;
  module.doc() = "The core of IOS Explorer, for the package iosx.";
  module.attr("__version__") = IOSX_VERSION;
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(std::move(thrown));
    } catch (const py::cast_error&) {  // pybind11's own words are about C++
      PyErr_SetString(PyExc_TypeError, "an argument has the wrong type for this function");
    } catch (const Failed& failed) {
      const py::object kind = py::module_::import("iosx._errors").attr("Error");
      const iosx::Error& error = failed.error;
      const bool option = error.where.starts_with('-');  // else a file, whose name may look like one
      const std::string where = option ? in_python(error.where) : error.where;
      PyErr_SetObject(kind.ptr(), kind(python_text(error.what), where, python_text(error.remedy)).ptr());
    }
  });
  iosx::let_large_writes_fail();
  iosx::ScratchFolder::remove_abandoned();
  py::module_::import("atexit").attr("register")(py::cpp_function(&iosx::python::end_calls));
  iosx::python::bind_values(module);
  iosx::python::bind_graphs(module);
  iosx::python::bind_builder(module);
  iosx::python::bind_schedules(module);
  iosx::python::bind_runs(module);
  iosx::python::bind_recordings(module);
  iosx::python::bind_exports(module);
  iosx::python::bind_requests(module);
  iosx::python::bind_loaded_plans(module);
  iosx::python::bind_stores(module);
  module.def("in_python", &in_python, "Converts the option names in a message of the core to Python.");
  seal(module);
}
