#pragma once

#include <QString>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/analysis/recording/opened_recording.h"
#include "core/base/duration.h"
#include "core/model/graph/operator.h"

namespace iosx {

// Says the words of recordings in the window's language. Names of files go through shown_name().

QString kernel_kind_text(KernelKind kind);  // "matrix product"
// Returns the class of operators whose colour a kernel has: the same operators have it on the canvas of a network.
OperatorClass class_of(KernelKind kind);
QString idle_reason_text(IdleReason reason, bool of_processor);     // "launched late"
QString idle_reason_meaning(IdleReason reason, bool of_processor);  // a sentence
QString edge_kind_text(EdgeKind kind);                              // "data"
QString opportunity_kind_text(OpportunityKind kind);                // "same inputs"
QString opportunity_kind_meaning(OpportunityKind kind);             // a sentence

QString lane_text(const Recording& recording, std::size_t lane);        // "Stream 7", with its process if it has one
QString kernel_name(const Recording& recording, std::uint32_t kernel);  // without template arguments
// Returns the names of the ranges around the call that launched it, from the outermost on.
QStringList path_of(const Recording& recording, std::uint32_t kernel);
QString box_text(const OpenedRecording& opened, std::uint32_t box);  // of the fold: "Linear × 36"
// Returns "261 kernels", or "491 operators" of a recording without times.
QString kernels_text(const Recording& recording, std::size_t count);

// Returns what is known of a kernel as pairs of a title and a text. Times count from the first kernel's begin.
std::vector<std::pair<QString, QString>> kernel_facts(const OpenedRecording& opened, std::uint32_t kernel);
// Does the same of a box of the fold: of all its kernels together. Its path is what their paths have in common.
std::vector<std::pair<QString, QString>> box_facts(const OpenedRecording& opened, std::uint32_t box);

// Returns the first sentences of the page: whether launches or streams matter more; empty where it is not known.
QString judgement_text(const OpenedRecording& opened);
// Returns what a page says in place of that where the recording has no times.
QString untimed_text(const Recording& recording);
// Returns "the model replays it 1.2 % off", or that its predictions are unreliable.
QString model_text(const RecordingReport& report);

}  // namespace iosx
