#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IOS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IOS_SANITIZED 1
#endif
#endif

namespace iosx::test {

#ifdef IOS_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

// How far to step through thousands of similar cases: all of them in a plain build, every n-th under the
// sanitizers, where each takes thirty times as long and the next one shows nothing new.
constexpr int every(int n) { return kSanitized ? n : 1; }

}  // namespace iosx::test
