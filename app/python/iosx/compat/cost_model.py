"""Cost models give the latencies of stages: the chosen device, or a class of the user."""

from __future__ import annotations

import random

from . import ios_runtime


class CostModel:
    """The cost model of optimize(). A subclass returns `repeat` latencies in ms."""

    def get_stage_latency(self, stage, batch_size, warmup, number, repeat, profile_stage=False) -> list[float]:
        """Returns the latencies of a stage: a list of groups that run concurrently; a group is a list of nodes."""
        raise NotImplementedError

    def get_block_latency(self, block, batch_size, warmup, number, repeat, profile_stage=False) -> list[float]:
        raise NotImplementedError

    def get_graph_latency(self, graph, batch_size, warmup, number, repeat, profile_stage=False) -> list[float]:
        raise NotImplementedError


class RandomCostModel(CostModel):
    """Returns random latencies, so that optimize() finds a random schedule: for tests of code that needs one."""

    def _any(self, repeat) -> list[float]:
        return [random.random() for _ in range(repeat)]

    def get_stage_latency(self, stage, batch_size, warmup, number, repeat, profile_stage=False):
        return self._any(repeat)

    def get_block_latency(self, block, batch_size, warmup, number, repeat, profile_stage=False):
        return self._any(repeat)

    def get_graph_latency(self, graph, batch_size, warmup, number, repeat, profile_stage=False):
        return self._any(repeat)


class IOSCostModel(CostModel):
    """Measures on the device: see set_device()."""

    def get_stage_latency(self, stage, batch_size, warmup, number, repeat, profile_stage=False):
        return ios_runtime.stage_latency(stage, batch_size, warmup, number, repeat, profile_stage)

    def get_block_latency(self, block, batch_size, warmup, number, repeat, profile_stage=False):
        return ios_runtime.block_latency(block, batch_size, warmup, number, repeat, profile_stage)

    def get_graph_latency(self, graph, batch_size, warmup, number, repeat, profile_stage=False):
        return ios_runtime.graph_latency(graph, batch_size, warmup, number, repeat, profile_stage)
