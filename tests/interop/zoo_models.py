"""The models of zoo.py: torchvision, timm, transformers and diffusers, of tiny configurations where these are free.

    python3 tests/interop/zoo_models.py FAMILY NAME FOLDER

writes FOLDER/model.onnx, its inputs (inputs.npz), what torch makes of them (outputs.npz), and a line of JSON: which of
torch's exporters wrote it, and whether torch itself answers alike twice. Weights are random, and so are the statistics
of batch normalisation and what begins with zeros, without which outputs would hardly depend on the input. Nothing is
downloaded.
"""

import inspect
import json
import os
import sys
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

os.environ["HF_HUB_OFFLINE"] = "1"

TORCHVISION = {
    "torchvision classification": [
        "alexnet", "convnext_tiny", "densenet121", "efficientnet_b0", "efficientnet_v2_s", "googlenet", "inception_v3",
        "maxvit_t", "mnasnet0_5", "mobilenet_v2", "mobilenet_v3_small", "regnet_x_400mf", "regnet_y_400mf", "resnet18",
        "resnext50_32x4d", "shufflenet_v2_x0_5", "shufflenet_v2_x1_0", "squeezenet1_1", "swin_t", "swin_v2_t", "vgg11",
        "vit_b_16", "wide_resnet50_2"],
    "torchvision segmentation": [
        "deeplabv3_mobilenet_v3_large", "fcn_resnet50", "lraspp_mobilenet_v3_large"],
    "torchvision video": ["mc3_18", "mvit_v1_b", "mvit_v2_s", "r2plus1d_18", "r3d_18", "s3d", "swin3d_t"],
    "torchvision detection": [
        "fasterrcnn_mobilenet_v3_large_320_fpn", "fcos_resnet50_fpn", "keypointrcnn_resnet50_fpn",
        "maskrcnn_resnet50_fpn", "retinanet_resnet50_fpn", "ssd300_vgg16", "ssdlite320_mobilenet_v3_large"],
    "torchvision optical flow": ["raft_small"],
}

# The smallest of each architecture.
TIMM = {
    "timm convolutions": [
        "bat_resnext26ts", "botnet26t_256", "convmixer_768_32", "convnext_atto", "convnextv2_atto", "cspresnet50",
        "dla34", "dm_nfnet_f0", "dpn48b", "eca_resnet33ts", "edgenext_xx_small", "efficientnet_lite0", "fastvit_t8",
        "focalnet_tiny_srf", "gcresnext26ts", "gernet_s", "ghostnet_050", "halonet26t", "hardcorenas_a", "hgnetv2_b0",
        "hrnet_w18_small", "inception_next_tiny", "inception_v4", "lambda_resnet26t", "lcnet_035", "mixnet_s",
        "mobilenetv4_conv_small", "mobileone_s0", "nf_regnet_b0", "nf_resnet50", "pnasnet5large", "regnetz_005",
        "repghostnet_050", "repvgg_a0", "res2net50_14w_8s", "resnest14d", "resnetv2_50", "rexnet_100", "sehalonet33ts",
        "selecsls42", "seresnext26d_32x4d", "skresnet18", "spnasnet_100", "starnet_s1", "tinynet_e", "tresnet_m",
        "vovnet39a", "xception41"],
    "timm transformers": [
        "beit_base_patch16_224", "beitv2_base_patch16_224", "cait_xxs24_224", "coat_tiny", "coatnet_nano_rw_224",
        "convit_tiny", "crossvit_9_240", "davit_tiny", "deit3_small_patch16_224", "deit_tiny_patch16_224",
        "efficientformer_l1", "efficientformerv2_s0", "efficientvit_b0", "efficientvit_m0", "eva02_tiny_patch14_224",
        "flexivit_small", "gcvit_xxtiny", "gmixer_12_224", "gmlp_ti16_224", "hiera_tiny_224", "levit_128s",
        "maxxvit_rmlp_nano_rw_256", "mixer_s32_224", "mobilevit_xxs", "mobilevitv2_050", "mvitv2_tiny",
        "nest_tiny", "nextvit_small", "pit_ti_224", "poolformer_s12", "pvt_v2_b0", "repvit_m0_9", "resmlp_12_224",
        "samvit_base_patch16_224", "sequencer2d_s", "shvit_s1", "swiftformer_xs", "swin_tiny_patch4_window7_224",
        "swinv2_cr_tiny_224", "tiny_vit_5m_224", "tnt_s_patch16_224", "twins_pcpvt_small", "visformer_tiny",
        "vit_tiny_patch16_224", "vit_tiny_r_s16_p8_224", "volo_d1_224", "xcit_nano_12_p16_224"],
}

TRANSFORMERS = {
    "transformers encoders": [
        "albert", "bert", "big_bird", "camembert", "canine", "convbert", "data2vec-text", "deberta", "deberta-v2",
        "distilbert", "electra", "ernie", "fnet", "ibert", "layoutlm", "lilt", "longformer", "luke",
        "megatron-bert", "mobilebert", "modernbert", "mpnet", "mra", "nystromformer", "rembert", "roberta",
        "roformer", "squeezebert", "xlm", "xlm-roberta", "xlnet", "yoso"],
    "transformers decoders": [
        "bloom", "codegen", "cohere", "falcon", "gemma", "gemma2", "gpt2", "gpt_bigcode", "gpt_neo", "gpt_neox", "gptj",
        "granite", "llama", "mamba", "mistral", "mixtral", "mpt", "olmo", "openai-gpt", "opt", "phi", "phi3", "qwen2",
        "qwen2_moe", "qwen3", "rwkv", "stablelm", "starcoder2", "xglm"],
    "transformers sequence to sequence": [
        "bart", "bigbird_pegasus", "blenderbot", "fsmt", "led", "m2m_100", "marian", "mbart", "mt5", "pegasus",
        "prophetnet", "switch_transformers", "t5"],
    "transformers vision": [
        "beit", "convnext", "convnextv2", "cvt", "data2vec-vision", "deit", "dinov2", "dpt",
        "efficientnet", "focalnet", "glpn", "hiera", "levit", "mobilenet_v1", "mobilenet_v2", "mobilevit", "poolformer",
        "pvt", "regnet", "resnet", "segformer", "siglip_vision_model", "swiftformer", "swin", "swin2sr", "swinv2",
        "vit", "vit_mae", "vit_msn", "yolos"],
    "transformers audio": [
        "audio-spectrogram-transformer", "data2vec-audio", "hubert", "sew", "sew-d", "speech_to_text", "unispeech",
        "unispeech-sat", "vits", "wav2vec2", "wav2vec2-conformer", "wavlm", "whisper"],
    "transformers of two kinds": [
        "blip", "chinese_clip", "clip", "clipseg", "clvp", "flava", "git", "groupvit", "siglip", "vilt",
        "visual_bert"],
}

# What a configuration is made smaller by, where it has it.
TINY: dict[str, Any] = {
    "vocab_size": 99, "hidden_size": 32, "d_model": 32, "n_embd": 32, "dim": 32, "embedding_size": 32, "embed_dim": 32,
    "num_hidden_layers": 2, "n_layer": 2, "n_layers": 2, "num_layers": 2, "encoder_layers": 2, "decoder_layers": 2,
    "num_decoder_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 4, "n_head": 4, "n_heads": 4,
    "num_heads": 4, "encoder_attention_heads": 4, "decoder_attention_heads": 4, "head_dim": 8, "d_kv": 8,
    "intermediate_size": 64, "ffn_dim": 64, "d_ff": 64, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64, "hidden_dim": 64,
    "max_position_embeddings": 64, "n_positions": 64, "image_size": 32, "patch_size": 8, "projection_dim": 16,
    "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "num_local_experts": 4, "num_experts": 4,
    "moe_intermediate_size": 32, "state_size": 8, "use_cache": False,
}
# What some models need besides, by the type of the configuration.
SPECIAL: dict[str, dict[str, Any]] = {
    "big_bird": {"attention_type": "original_full"}, "bigbird_pegasus": {"attention_type": "original_full"},
    "longformer": {"attention_window": 4}, "led": {"attention_window": 4},
    "audio-spectrogram-transformer": {"max_length": 32}, "whisper": {"max_source_positions": 64},
    "speech_to_text": {"input_feat_per_channel": 128}, "codegen": {"rotary_dim": 4}, "gptj": {"rotary_dim": 4},
    "mobilebert": {"intra_bottleneck_size": 32, "true_hidden_size": 32},
    "lilt": {"hidden_size": 48}, "siglip_text_model": {"projection_size": 32}, "clvp_encoder": {"hidden_size": 128},
    "efficientnet": {"hidden_dim": 2560}, "levit": {"image_size": 64, "patch_size": 16},
    "convnext": {"hidden_sizes": [16, 32], "depths": [1, 1]},
    "convnextv2": {"hidden_sizes": [16, 32], "depths": [1, 1]},
    "swin": {"depths": [1, 1], "num_heads": [2, 2], "embed_dim": 16, "patch_size": 2, "window_size": 4},
    "swinv2": {"depths": [1, 1], "num_heads": [2, 2], "embed_dim": 16, "patch_size": 2, "window_size": 4},
    "swin2sr": {"depths": [1, 1], "num_heads": [2, 2], "embed_dim": 16, "patch_size": 1, "window_size": 4},
}

DIFFUSERS: dict[str, tuple[dict[str, Any], dict[str, list[int]]]] = {
    # A class with its configuration and the shapes of its inputs; "t" is a step.
    "UNet2DModel": ({"sample_size": 16, "block_out_channels": (16, 32), "layers_per_block": 1, "norm_num_groups": 4,
                     "down_block_types": ("DownBlock2D", "AttnDownBlock2D"),
                     "up_block_types": ("AttnUpBlock2D", "UpBlock2D"), "attention_head_dim": 4},
                    {"sample": [1, 3, 16, 16], "timestep": []}),
    "UNet2DConditionModel": ({"sample_size": 16, "block_out_channels": (16, 32), "layers_per_block": 1,
                              "norm_num_groups": 4, "down_block_types": ("CrossAttnDownBlock2D", "DownBlock2D"),
                              "up_block_types": ("UpBlock2D", "CrossAttnUpBlock2D"), "cross_attention_dim": 16,
                              "attention_head_dim": 4},
                             {"sample": [1, 4, 16, 16], "timestep": [], "encoder_hidden_states": [1, 5, 16]}),
    "ControlNetModel": ({"block_out_channels": (16, 32), "layers_per_block": 1, "norm_num_groups": 4,
                         "down_block_types": ("CrossAttnDownBlock2D", "DownBlock2D"), "cross_attention_dim": 16,
                         "attention_head_dim": 4, "conditioning_embedding_out_channels": (8, 16)},
                        {"sample": [1, 4, 16, 16], "timestep": [], "encoder_hidden_states": [1, 5, 16],
                         "controlnet_cond": [1, 3, 32, 32]}),
    "UNet1DModel": ({"sample_size": 32, "block_out_channels": (16, 32), "in_channels": 4, "out_channels": 4,
                     "extra_in_channels": 32, "down_block_types": ("DownBlock1DNoSkip", "DownBlock1D"),
                     "up_block_types": ("UpBlock1D", "UpBlock1DNoSkip")},
                    {"sample": [1, 4, 32], "timestep": [1]}),
    "AutoencoderKL": ({"block_out_channels": (16, 32), "norm_num_groups": 4,
                       "down_block_types": ("DownEncoderBlock2D",) * 2, "up_block_types": ("UpDecoderBlock2D",) * 2},
                      {"sample": [1, 3, 32, 32]}),
    "AutoencoderTiny": ({"encoder_block_out_channels": (16, 16), "decoder_block_out_channels": (16, 16),
                         "num_encoder_blocks": (1, 2), "num_decoder_blocks": (2, 1)}, {"sample": [1, 3, 32, 32]}),
    "AsymmetricAutoencoderKL": ({"down_block_out_channels": (16,), "up_block_out_channels": (16,),
                                 "norm_num_groups": 4}, {"sample": [1, 3, 32, 32]}),
    "ConsistencyDecoderVAE": ({}, {"sample": [1, 3, 32, 32]}),
    "VQModel": ({"block_out_channels": (16,), "norm_num_groups": 4, "num_vq_embeddings": 16},
                {"sample": [1, 3, 32, 32]}),
    "DiTTransformer2DModel": ({"num_attention_heads": 2, "attention_head_dim": 8, "num_layers": 2, "sample_size": 8,
                               "num_embeds_ada_norm": 10},
                              {"hidden_states": [1, 4, 8, 8], "timestep": [1], "class_labels": [1]}),
    "PixArtTransformer2DModel": ({"num_attention_heads": 2, "attention_head_dim": 8, "num_layers": 2,
                                  "sample_size": 8, "cross_attention_dim": 16, "caption_channels": 16},
                                 {"hidden_states": [1, 4, 8, 8], "encoder_hidden_states": [1, 5, 16], "timestep": [1]}),
    "SD3Transformer2DModel": ({"sample_size": 8, "patch_size": 2, "in_channels": 4, "num_layers": 2,
                               "attention_head_dim": 8, "num_attention_heads": 2, "joint_attention_dim": 16,
                               "caption_projection_dim": 16, "pooled_projection_dim": 16, "out_channels": 4,
                               "pos_embed_max_size": 8},
                              {"hidden_states": [1, 4, 8, 8], "encoder_hidden_states": [1, 5, 16],
                               "pooled_projections": [1, 16], "timestep": [1]}),
    "FluxTransformer2DModel": ({"patch_size": 1, "in_channels": 4, "num_layers": 1, "num_single_layers": 1,
                                "attention_head_dim": 16, "num_attention_heads": 2, "joint_attention_dim": 16,
                                "pooled_projection_dim": 16, "axes_dims_rope": (4, 4, 8)},
                               {"hidden_states": [1, 16, 4], "encoder_hidden_states": [1, 5, 16],
                                "pooled_projections": [1, 16], "timestep": [1], "img_ids": [16, 3], "txt_ids": [5, 3]}),
    "PriorTransformer": ({"num_attention_heads": 2, "attention_head_dim": 8, "num_layers": 2, "embedding_dim": 16,
                          "num_embeddings": 5, "additional_embeddings": 4},
                         {"hidden_states": [1, 16], "timestep": [1], "proj_embedding": [1, 16],
                          "encoder_hidden_states": [1, 5, 16]}),
    "T2IAdapter": ({"channels": [16, 16], "num_res_blocks": 1, "downscale_factor": 8}, {"x": [1, 3, 32, 32]}),
}

FAMILIES: dict[str, list[str]] = {**TORCHVISION, **TIMM, **TRANSFORMERS, "diffusers": list(DIFFUSERS)}
SAMPLE = [("torchvision classification", "mobilenet_v3_small"), ("timm transformers", "deit_tiny_patch16_224"),
          ("transformers encoders", "bert"), ("transformers decoders", "gpt2"), ("diffusers", "UNet2DModel")]

Inputs = dict[str, Any]  # tensors of torch by name


def vision(family: str, name: str) -> tuple[Any, Inputs]:
    """A network of torchvision."""
    import torch
    from torchvision import models

    kind = family.removeprefix("torchvision ")
    module = {"segmentation": models.segmentation, "video": models.video, "detection": models.detection,
              "optical flow": models.optical_flow}.get(kind, models)
    backbone = {"weights_backbone": None} if kind in ("segmentation", "detection") else {}
    side = 224 if "vit" in name or name == "s3d" else 64
    shapes = {"video": [(1, 3, 16, side, side)], "detection": [(1, 3, 320, 320)],
              "optical flow": [(1, 3, 128, 128)] * 2}.get(kind, [(1, 3, 224, 224)])
    network = getattr(module, name)(weights=None, **backbone)
    return network, {f"x{i}": torch.rand(*shape) for i, shape in enumerate(shapes)}


def image_model(family: str, name: str) -> tuple[Any, Inputs]:
    """A network of timm."""
    import timm
    import torch

    network = timm.create_model(name, pretrained=False)
    return network, {"x": torch.rand(1, *network.default_cfg["input_size"])}


def shrink(config: Any, kind: str) -> None:
    """Makes a configuration tiny, and those that it holds."""
    special = SPECIAL.get(kind, {})
    for key, value in (TINY | special).items():
        try:
            if key in special or isinstance(getattr(config, key, None), int):
                setattr(config, key, value)
        except (AttributeError, NotImplementedError):
            pass  # it follows from others there
    for held in vars(config).values():
        if hasattr(held, "model_type"):
            shrink(held, held.model_type)


def language_model(family: str, name: str) -> tuple[Any, Inputs]:
    """A network of transformers, of a configuration that is made tiny."""
    import torch
    import transformers

    config = transformers.AutoConfig.for_model(name)
    shrink(config, name)
    network = transformers.AutoModel.from_config(config, attn_implementation="eager")
    tokens = torch.randint(3, 90, (1, 8))
    size = next((held.image_size for held in (config, *vars(config).values()) if hasattr(held, "image_size")), 224)
    image = torch.rand(1, 3, *(size if isinstance(size, (list, tuple)) else (size, size)))
    known = {"input_ids": tokens, "pixel_values": image, "input_values": torch.randn(1, 4000),
             "input_features": torch.randn(1, 80, 128)}
    if name == "audio-spectrogram-transformer":
        known["input_values"] = torch.randn(1, config.max_length, config.num_mel_bins)
    inputs = {network.main_input_name: known[network.main_input_name]}
    if "two kinds" in family:
        inputs = {key: known[key] for key in known if key in inspect.signature(network.forward).parameters}
    if getattr(config, "is_encoder_decoder", False):
        inputs["decoder_input_ids"] = torch.randint(3, 90, (1, 6))
    return network, inputs


def diffusion_model(family: str, name: str) -> tuple[Any, Inputs]:
    import diffusers
    import torch

    given, shapes = DIFFUSERS[name]
    inputs = {key: torch.rand(tuple(shape)) for key, shape in shapes.items()}
    for key in ("timestep", "class_labels"):
        if key in inputs:
            inputs[key] = torch.full(tuple(shapes[key]), 7)
    return getattr(diffusers, name)(**given), inputs


MAKERS: dict[str, Callable[[str, str], tuple[Any, Inputs]]] = {
    "torchvision": vision, "timm": image_model, "transformers": language_model, "diffusers": diffusion_model}


def randomise(network: Any) -> None:
    """Gives values to what begins with zeros, and to the statistics of batch normalisation."""
    import torch

    for key, buffer in network.named_buffers():
        if key.endswith("running_mean"):
            torch.nn.init.uniform_(buffer, -0.1, 0.1)
        elif key.endswith("running_var"):
            torch.nn.init.uniform_(buffer, 0.5, 1.5)
    for parameter in network.parameters():
        if parameter.dim() > 0 and not parameter.detach().any():
            torch.nn.init.normal_(parameter, std=0.02)


def tensors(made: Any) -> list[Any]:
    """The tensors of what a network yields, in order: not its caches, and not what is absent."""
    import torch

    if isinstance(made, torch.Tensor):
        return [made] if made.dtype != torch.complex64 else []
    if isinstance(made, Mapping):
        return tensors(list(made.values()))
    if isinstance(made, (list, tuple)):
        return [tensor for each in made for tensor in tensors(each)]
    return []


def plain(network: Any, names: list[str] | None) -> Any:
    """A module of positional inputs, which the network takes by name where there are names, with a tuple of tensors."""
    import torch

    class Plain(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, *inputs: Any) -> tuple[Any, ...]:
            return tuple(tensors(self.network(**dict(zip(names, inputs))) if names else self.network(*inputs)))

    return Plain().eval()


def export(network: Any, inputs: Inputs, path: Path) -> str:
    """Writes the model, and says by which exporter: the newer one, or the older one where that fails."""
    import torch

    given = tuple(inputs.values())
    errors = []
    for name, options in (("dynamo", {"dynamo": True, "external_data": False}),
                          ("torchscript", {"dynamo": False, "opset_version": 17})):
        try:
            torch.onnx.export(network, given, str(path), input_names=list(inputs), verbose=False, **options)
            return name
        except Exception as why:  # whatever the exporter throws is its own limit
            errors.append(f"{name}: {' '.join(str(why).split())[:150]}")
    raise RuntimeError("; ".join(errors))


def main(family: str, name: str, folder: Path) -> None:
    import numpy as np
    import torch

    warnings.filterwarnings("ignore")
    torch.manual_seed(0)
    torch.set_num_threads(1)
    package = family.split()[0]
    network, inputs = MAKERS[package](family, name)
    randomise(network)
    module = plain(network.eval(), list(inputs) if package in ("transformers", "diffusers") else None)
    with torch.no_grad():
        outputs, again = ([each.numpy() for each in module(*inputs.values())] for _ in range(2))
        exporter = export(module, inputs, folder / "model.onnx")
    np.savez(folder / "inputs.npz", **{key: tensor.numpy() for key, tensor in inputs.items()})
    np.savez(folder / "outputs.npz", *outputs)
    same = all(np.array_equal(a, b, equal_nan=True) for a, b in zip(outputs, again))
    (folder / "exported.json").write_text(json.dumps({"exporter": exporter, "random": not same}))


if __name__ == "__main__":
    try:
        main(sys.argv[1], sys.argv[2], Path(sys.argv[3]))
    except Exception as failed:  # whatever a package throws
        sys.exit(f"{type(failed).__name__}: {' '.join(str(failed).split())[:300]}")
