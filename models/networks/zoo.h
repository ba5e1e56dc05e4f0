#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/graph/graph.h"

namespace iosx {

// The groups of networks in lists of the zoo.
enum class ZooGroup {
  kPaper,  // published with IOS
  kClassification,
  kDetection,  // and segmentation: maps of many sizes
  kTransformer,
};

struct ZooNetwork {
  ZooGroup group = ZooGroup::kPaper;
  std::string_view name;     // "inception_v3"
  std::string_view title;    // "Inception V3"
  std::string_view summary;  // one line: source, input size
  Graph (*build)();
};

// Returns the built-in networks, in display order: group by group.
std::span<const ZooNetwork> zoo();

// Returns "Classification", …
std::string_view zoo_group_title(ZooGroup group);

// The error lists the names.
Result<Graph> zoo_network(std::string_view name);

// The zoo's builders, one per network. They declare parts: one per block, with chains grouped.
Graph build_sample();
Graph build_inception_v3();
Graph build_squeezenet();
Graph build_nasnet();
Graph build_randwire();
Graph build_alexnet();
Graph build_vgg16();
Graph build_vgg19();
Graph build_resnet18();
Graph build_resnet34();
Graph build_resnet50();
Graph build_googlenet();
Graph build_densenet121();
Graph build_inception_resnet_v2();
Graph build_regnet_y_800mf();
Graph build_hrnet_w18();
Graph build_shufflenet_v2();
Graph build_mobilenet_v3_large();
Graph build_mobilenet_v3_small();
Graph build_efficientnet_b0();
Graph build_nasnet_mobile();
Graph build_randwire_320();
Graph build_yolox_s();
Graph build_efficientdet_d0();
Graph build_unet();
Graph build_convnext_tiny();
Graph build_vit_b16();
Graph build_parallel_vit_s16();
Graph build_bert_base();
Graph build_mixture_of_experts();

}  // namespace iosx
