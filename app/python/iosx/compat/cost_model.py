"""Who says how long stages take: the device that was chosen, or a class of the user's."""

from __future__ import annotations

import random

from . import ios_runtime


class CostModel:
    """What optimize() asks. A subclass answers with as many latencies in ms as `repeat` says."""

    def get_stage_latency(self, stage, batch_size, warmup, number, repeat, profile_stage=False) -> list[float]:
        """Of a stage: a list of groups that run side by side, each a list of nodes."""
        raise NotImplementedError

    def get_block_latency(self, block, batch_size, warmup, number, repeat, profile_stage=False) -> list[float]:
        raise NotImplementedError

    def get_graph_latency(self, graph, batch_size, warmup, number, repeat, profile_stage=False) -> list[float]:
        raise NotImplementedError


class RandomCostModel(CostModel):
    """Answers anything, so that optimize() finds any schedule: for tests of what uses one."""

    def _any(self, repeat) -> list[float]:
        return [random.random() for _ in range(repeat)]

    def get_stage_latency(self, stage, batch_size, warmup, number, repeat, profile_stage=False):
        return self._any(repeat)

    def get_block_latency(self, block, batch_size, warmup, number, repeat, profile_stage=False):
        return self._any(repeat)

    def get_graph_latency(self, graph, batch_size, warmup, number, repeat, profile_stage=False):
        return self._any(repeat)


class IOSCostModel(CostModel):
    """Asks the device: see set_device()."""

    def get_stage_latency(self, stage, batch_size, warmup, number, repeat, profile_stage=False):
        return ios_runtime.stage_latency(stage, batch_size, warmup, number, repeat, profile_stage)

    def get_block_latency(self, block, batch_size, warmup, number, repeat, profile_stage=False):
        return ios_runtime.block_latency(block, batch_size, warmup, number, repeat, profile_stage)

    def get_graph_latency(self, graph, batch_size, warmup, number, repeat, profile_stage=False):
        return ios_runtime.graph_latency(graph, batch_size, warmup, number, repeat, profile_stage)
