#pragma once

#include "core/graph/graph.h"

// The zoo's builders, one for each network. Parts are declared: a block each, chains grouped.
namespace iosx {

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

}  // namespace iosx
