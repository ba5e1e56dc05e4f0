#!/usr/bin/env python3
"""Says what schedules without barriers gain, on simulated GPUs, network by network.

    python3 tests/bench/barrier_free.py [--iosx PATH] [--devices ID,…] [--batches N,…] [NETWORK ...]

For each device and batch a table in ms: sequential (one stream), greedy, the fastest IOS schedule with stages, List,
IOS-Flow; what IOS-Flow gains over the fastest of those with stages; and the geometric mean of the gains. Exit code 1 if IOS-Flow is slower than anything beside it in any row.
"""

import argparse
import math
import sys

from zoo_table import ROOT, iosx_json

NETWORKS = ["sample", "inception_v3", "squeezenet", "nasnet", "randwire", "googlenet", "resnet50", "inception_resnet_v2",
            "densenet121", "nasnet_mobile", "shufflenet_v2", "mobilenet_v3_large", "efficientnet_b0", "hrnet_w18",
            "yolox_s", "efficientdet_d0", "parallel_vit_s16", "mixture_of_experts"]


def latencies(iosx, network, device, batch):
    """Returns milliseconds by id of schedule."""
    compared = iosx_json(iosx, "compare", network, "--device", device, "--batch", batch, "--no-store")
    return {one["id"]: one["latency_ms"] for one in compared["schedules"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("networks", nargs="*", metavar="NETWORK", default=NETWORKS)
    parser.add_argument("--iosx", default=str(ROOT / "build/release/bin/iosx"))
    parser.add_argument("--devices", default="h200,h200-f16,a100,tesla-v100")
    parser.add_argument("--batches", default="1,16")
    options = parser.parse_args()
    slower = []
    for device in options.devices.split(","):
        for batch in options.batches.split(","):
            print(f"\n{device}, batch {batch}\n{'network':<20}{'sequential':>11}{'greedy':>9}{'IOS':>9}{'List':>9}"
                  f"{'IOS-Flow':>10}{'gain':>9}")
            gains = []
            for network in options.networks:
                ms = latencies(options.iosx, network, device, batch)
                staged = min(value for name, value in ms.items() if name not in ("list", "ios-flow"))
                ios = min(value for name, value in ms.items() if name.startswith("ios-") and name != "ios-flow")
                gains.append(staged / ms["ios-flow"])
                if ms["ios-flow"] > min(ms.values()) * (1 + 1e-12):
                    slower.append(f"{network} on {device}, batch {batch}")
                print(f"{network:<20}{ms['sequential']:>11.3f}{ms['greedy']:>9.3f}{ios:>9.3f}{ms['list']:>9.3f}"
                      f"{ms['ios-flow']:>10.3f}{100 * (gains[-1] - 1):>8.1f}%", flush=True)
            mean = math.exp(sum(map(math.log, gains)) / len(gains))
            print(f"geometric mean of the gain: {100 * (mean - 1):.1f} %")
    for place in slower:
        print(f"IOS-Flow is slower than another schedule: {place}")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
