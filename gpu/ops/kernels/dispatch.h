#pragma once

#include "gpu/ops/kernels/copy.h"
#include "gpu/ops/kernels/elementwise.h"
#include "gpu/ops/kernels/excite.h"
#include "gpu/ops/kernels/matmul.h"
#include "gpu/ops/kernels/normalize.h"
#include "gpu/ops/kernels/pad.h"
#include "gpu/ops/kernels/reduce.h"
#include "gpu/ops/kernels/reshape.h"
#include "gpu/ops/kernels/resize.h"
#include "gpu/ops/kernels/softmax.h"
#include "gpu/ops/kernels/windows.h"

// dispatch(call, executor) chooses the functor for a call and passes it to the executor, which runs it on the GPU or
// on the host:
//
//   Choice choice;
//   template <class Functor> void each(const Functor& functor, std::int64_t steps) const;  // threads.h; steps >= 1
//   template <class Functor> void rows(const Functor& functor) const;                      // threads.h
//   template <class Functor> void phases(const Functor& functor, std::int64_t blocks) const;  // threads.h
