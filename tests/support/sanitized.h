#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IOS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IOS_SANITIZED 1
#endif
#endif

namespace iosx::test {

// How far to step through thousands of alike cases: all of them are tried in a plain build, every n-th under the
// sanitizers, where each takes thirty times as long and the next one shows nothing new.
constexpr int every([[maybe_unused]] int n) {
#ifdef IOS_SANITIZED
  return n;
#else
  return 1;
#endif
}

}  // namespace iosx::test
