#include "models/networks/zoo.h"

#include <fmt/format.h>

#include <array>

#include "models/networks/networks.h"

namespace iosx {
namespace {

constexpr std::array kZoo{
    ZooNetwork{"sample", "IOS sample network", "Ding et al. 2021, figure 2: four convolutions, 375x15x15",
               build_sample},
    ZooNetwork{"inception_v3", "Inception V3", "Szegedy et al. 2016, without the classifier, 3x299x299",
               build_inception_v3},
    ZooNetwork{"squeezenet", "SqueezeNet 1.0 with complex bypass", "Iandola et al. 2016, 3x224x224", build_squeezenet},
    ZooNetwork{"nasnet", "NASNet-A Large", "Zoph et al. 2018, 6@4032, as benchmarked by IOS, 3x331x331", build_nasnet},
    ZooNetwork{"randwire", "RandWire", "Xie et al. 2019, Watts-Strogatz(32, 4, 0.75), 3x224x224", build_randwire},
    ZooNetwork{"alexnet", "AlexNet", "Krizhevsky 2014, one column, 3x224x224", build_alexnet},
    ZooNetwork{"vgg16", "VGG-16", "Simonyan & Zisserman 2015, 3x224x224", build_vgg16},
    ZooNetwork{"vgg19", "VGG-19", "Simonyan & Zisserman 2015, 3x224x224", build_vgg19},
    ZooNetwork{"resnet18", "ResNet-18", "He et al. 2016, 3x224x224", build_resnet18},
    ZooNetwork{"resnet34", "ResNet-34", "He et al. 2016, 3x224x224", build_resnet34},
    ZooNetwork{"resnet50", "ResNet-50", "He et al. 2016, stride in the 3x3 convolutions, 3x224x224", build_resnet50},
    ZooNetwork{"googlenet", "GoogLeNet", "Szegedy et al. 2015, without auxiliary classifiers, 3x224x224",
               build_googlenet},
};

}  // namespace

std::span<const ZooNetwork> zoo() { return kZoo; }

Result<Graph> zoo_network(std::string_view name) {
  std::string names;
  for (const ZooNetwork& network : kZoo) {
    if (network.name == name) return network.build();
    names += names.empty() ? "" : ", ";
    names += network.name;
  }
  return fail(fmt::format("there is no built-in network '{}'", name), {}, "choose one of " + names);
}

}  // namespace iosx
