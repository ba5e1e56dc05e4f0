#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace iosx {

// Refers to a callable through two pointers. It copies and allocates nothing, so its maker keeps the callable alive.
template <typename Signature>
class FunctionRef;

template <typename Return, typename... Args>
class FunctionRef<Return(Args...)> {
 public:
  template <typename Callable>
  requires(!std::is_same_v<std::remove_cvref_t<Callable>, FunctionRef> &&
           std::is_invocable_r_v<Return, Callable&, Args...>)
      // NOLINTNEXTLINE(bugprone-forwarding-reference-overload): the constraint keeps copies apart
      FunctionRef(Callable&& callable)
      : object_(std::addressof(callable)), call_(call<std::remove_reference_t<Callable>>) {}

  Return operator()(Args... args) const { return call_(object_, std::forward<Args>(args)...); }

 private:
  template <typename Callable>
  static Return call(const void* object, Args... args) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): gives back the type that the constructor saw
    return (*const_cast<Callable*>(static_cast<const Callable*>(object)))(std::forward<Args>(args)...);
  }

  const void* object_;
  Return (*call_)(const void*, Args...);
};

}  // namespace iosx
