#include "models/networks/zoo.h"

#include <fmt/format.h>

#include <array>

#include "models/networks/layers.h"

namespace iosx {
namespace {

using enum ZooGroup;

constexpr std::array kZoo{
    ZooNetwork{kPaper, "sample", said("IOS sample network"),
               said("Ding et al. 2021, figure 2: four convolutions, 375x15x15"), build_sample},
    ZooNetwork{kPaper, "inception_v3", "Inception V3", said("Szegedy et al. 2016, without the classifier, 3x299x299"),
               build_inception_v3},
    ZooNetwork{kPaper, "squeezenet", said("SqueezeNet 1.0 with complex bypass"), "Iandola et al. 2016, 3x224x224",
               build_squeezenet},
    ZooNetwork{kPaper, "nasnet", "NASNet-A Large", said("Zoph et al. 2018, 6@4032, as benchmarked by IOS, 3x331x331"),
               build_nasnet},
    ZooNetwork{kPaper, "randwire", "RandWire", said("Xie et al. 2019, Watts-Strogatz(32, 4, 0.75), 3x224x224"),
               build_randwire},
    ZooNetwork{kClassification, "alexnet", "AlexNet", said("Krizhevsky 2014, one column, 3x224x224"), build_alexnet},
    ZooNetwork{kClassification, "vgg16", "VGG-16", "Simonyan & Zisserman 2015, 3x224x224", build_vgg16},
    ZooNetwork{kClassification, "vgg19", "VGG-19", "Simonyan & Zisserman 2015, 3x224x224", build_vgg19},
    ZooNetwork{kClassification, "resnet18", "ResNet-18", "He et al. 2016, 3x224x224", build_resnet18},
    ZooNetwork{kClassification, "resnet34", "ResNet-34", "He et al. 2016, 3x224x224", build_resnet34},
    ZooNetwork{kClassification, "resnet50", "ResNet-50",
               said("He et al. 2016, stride in the 3x3 convolutions, 3x224x224"), build_resnet50},
    ZooNetwork{kClassification, "googlenet", "GoogLeNet",
               said("Szegedy et al. 2015, without auxiliary classifiers, 3x224x224"), build_googlenet},
    ZooNetwork{kClassification, "inception_resnet_v2", "Inception-ResNet-v2",
               said("Szegedy et al. 2017, without auxiliary classifier, 3x299x299"), build_inception_resnet_v2},
    ZooNetwork{kClassification, "densenet121", "DenseNet-121", "Huang et al. 2017, 3x224x224", build_densenet121},
    ZooNetwork{kClassification, "nasnet_mobile", "NASNet-A Mobile", "Zoph et al. 2018, 4@1056, 3x224x224",
               build_nasnet_mobile},
    ZooNetwork{kClassification, "shufflenet_v2", "ShuffleNet V2 1x", "Ma et al. 2018, 3x224x224", build_shufflenet_v2},
    ZooNetwork{kClassification, "mobilenet_v3_large", "MobileNetV3-Large", "Howard et al. 2019, 3x224x224",
               build_mobilenet_v3_large},
    ZooNetwork{kClassification, "mobilenet_v3_small", "MobileNetV3-Small", "Howard et al. 2019, 3x224x224",
               build_mobilenet_v3_small},
    ZooNetwork{kClassification, "efficientnet_b0", "EfficientNet-B0", "Tan & Le 2019, 3x224x224",
               build_efficientnet_b0},
    ZooNetwork{kClassification, "regnet_y_800mf", "RegNetY-800MF", "Radosavovic et al. 2020, 3x224x224",
               build_regnet_y_800mf},
    ZooNetwork{kClassification, "hrnet_w18", "HRNet-W18", said("Wang et al. 2020, for classification, 3x224x224"),
               build_hrnet_w18},
    ZooNetwork{kClassification, "convnext_tiny", "ConvNeXt-T", "Liu et al. 2022, 3x224x224", build_convnext_tiny},
    ZooNetwork{kClassification, "randwire_320", said("RandWire with 320 nodes"),
               said("as RandWire, Watts-Strogatz(320, 20, 0.75), channels / √10, 3x224x224"), build_randwire_320},
    ZooNetwork{kDetection, "yolox_s", "YOLOX-s", said("Ge et al. 2021, outputs not decoded, 3x640x640"), build_yolox_s},
    ZooNetwork{kDetection, "efficientdet_d0", "EfficientDet-D0 (BiFPN)",
               said("Tan et al. 2020, outputs not decoded, 3x512x512"), build_efficientdet_d0},
    ZooNetwork{kDetection, "unet", "U-Net", said("Ronneberger et al. 2015, unpadded, 1x572x572"), build_unet},
    ZooNetwork{kTransformer, "vit_b16", "ViT-B/16", said("Dosovitskiy et al. 2021, 12 blocks, 3x224x224"),
               build_vit_b16},
    ZooNetwork{kTransformer, "parallel_vit_s16", said("ViT-S/16 with parallel heads"),
               said("Touvron et al. 2021; blocks as in ViT-22B, each head a branch, 3x224x224"),
               build_parallel_vit_s16},
    ZooNetwork{kTransformer, "bert_base", said("BERT-Base encoder"),
               said("Devlin et al. 2019, 12 layers on embedded tokens, 128x768"), build_bert_base},
    ZooNetwork{kTransformer, "mixture_of_experts", said("Mixture of 8 experts"),
               said("Fedus et al. 2022, a layer of Switch-Base, every expert computed, 128x768"),
               build_mixture_of_experts},
};

}  // namespace

std::span<const ZooNetwork> zoo() { return kZoo; }

std::string_view zoo_group_title(ZooGroup group) {
  switch (group) {
    case kPaper: return said("Networks of the IOS paper");
    case kClassification: return said("Classification");
    case kDetection: return said("Detection and segmentation");
    case kTransformer: return said("Transformers");
  }
  return {};
}

Result<Graph> zoo_network(std::string_view name) {
  std::string names;
  for (const ZooNetwork& network : kZoo) {
    if (network.name == name) return network.build();
    names += names.empty() ? "" : ", ";
    names += network.name;
  }
  return fail(message("there is no built-in network '{}'", name), {}, message("choose one of {}", names));
}

Graph build_sample() {
  GraphBuilder builder("sample");
  const Value input = builder.input("input", {375, 15, 15});
  builder.begin_part("sample");
  add_branches(builder, "sample", input,
               {{"conv_a", "", same_conv(375, {3, 3})},
                {"conv_b", "", same_conv(750, {3, 3})},
                {"conv_c", "", same_conv(375, {3, 3})},
                {"conv_d", "conv_a", same_conv(750, {3, 3})}},
               {"conv_b", "conv_c", "conv_d"});
  return finish(std::move(builder));
}

}  // namespace iosx
