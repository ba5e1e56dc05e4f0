"""The original's API: its README's sample, its models, and programs such as its users write."""

import importlib
import json
import os
import sys
import unittest
import warnings
import xml.etree.ElementTree

import iosx.compat as ios
from support import Case, needs_cpu, needs_numpy, numpy as np


def sample_network():
    """The sample of the original's README."""
    v = ios.placeholder(output_shape=(375, 15, 15))
    block = ios.Block(enter_node=v.node)
    v1 = ios.conv2d(block, inputs=[[v]], out_channels=375, kernel=(3, 3), stride=(1, 1), padding=(1, 1), act="relu")
    v2 = ios.conv2d(block, inputs=[[v]], out_channels=750, kernel=(3, 3), stride=(1, 1), padding=(1, 1), act="relu")
    v3 = ios.conv2d(block, inputs=[[v]], out_channels=375, kernel=(3, 3), stride=(1, 1), padding=(1, 1), act="relu")
    v1 = ios.conv2d(block, inputs=[[v1]], out_channels=750, kernel=(3, 3), stride=(1, 1), padding=(1, 1), act="relu")
    ios.identity(block, inputs=[[v1], [v2], [v3]], is_exit=True)
    graph = ios.Graph(name="demo", input=v.node, blocks=[block])
    graph.init_weights()
    return graph


class CompatCase(Case):
    def setUp(self):
        super().setUp()
        ios.reset_name()
        ios.set_device("tesla-v100")
        self.addCleanup(ios.set_device, None)


@needs_numpy
class Readme(CompatCase):
    def test_the_sample_runs_as_it_is(self):
        graph = sample_network()
        optimized_graph = ios.optimize(graph, batch_size=1, opt_type="dp_parallel", compute_weight=True)
        graph.sequential_schedule()
        seq_latency, stage_latency = ios.ios_runtime.graph_latency(graph, batch_size=1, repeat=6, profile_stage=True)
        self.assertEqual(
            str(graph),
            "Sequential(\n  [1]Conv2d(0)\n  [2]Conv2d(0)\n  [3]Conv2d(0)\n  [4]Conv2d(1)\n  [5]Concat(4,2,3)\n)",
        )
        self.assertAlmostEqual(np.mean(seq_latency), 0.486, delta=0.05)  # as published
        self.assertEqual(np.mean(np.array(stage_latency).reshape(6, -1), axis=0).shape, (5,))

        opt_latency, stage_latency = ios.ios_runtime.graph_latency(
            optimized_graph, batch_size=1, repeat=6, profile_stage=True
        )
        self.assertAlmostEqual(np.mean(opt_latency), 0.333, delta=0.05)  # as published
        stages = [{frozenset(group) for group in stage} for stage in optimized_graph.blocks[0].stages]
        published = [{frozenset("1"), frozenset("2")}, {frozenset("4"), frozenset("3")}, {frozenset("5")}]
        self.assertEqual(stages, published)
        self.assertEqual(np.mean(np.array(stage_latency).reshape(6, -1), axis=0).shape, (3,))

    @needs_cpu
    def test_inference_of_every_schedule_is_the_same(self):
        graph = sample_network()
        graph.sequential_schedule()
        dummy_inputs = np.random.default_rng(0).normal(size=(1, 375, 15, 15))
        expected = ios.ios_runtime.graph_inference(graph, batch_size=1, input=dummy_inputs)
        self.assertEqual(expected.shape, (1, 1875, 15, 15))
        for opt_type in ("dp_parallel", "dp_merge", "dp_parallel_merge"):
            with self.subTest(opt_type=opt_type):
                optimized = ios.optimize(graph, opt_type=opt_type, compute_weight=True)
                output = ios.ios_runtime.graph_inference(optimized, batch_size=1, input=dummy_inputs)
                np.testing.assert_allclose(output, expected, atol=1e-4 * abs(expected).max())

    @needs_cpu
    def test_it_measures_on_the_processor(self):
        ios.set_device("cpu")
        graph = sample_network()
        graph.sequential_schedule()
        latencies = ios.ios_runtime.graph_latency(graph, batch_size=1, warmup=1, number=2, repeat=3)
        self.assertEqual(len(latencies), 3)
        self.assertTrue(all(latency > 0 for latency in latencies))


@needs_numpy
class Models(CompatCase):
    def test_they_are_those_of_the_paper(self):
        units = {"inception_v3": 119, "squeezenet": 50, "randwire_large": 120, "nasnet_large": 374}
        for name, count in units.items():
            with self.subTest(name=name):
                graph = getattr(ios.models, name)()
                self.assertEqual(graph.schedule_operators(), count)
                self.assertTrue(all(conv.weight.shape == conv.weight_shape for conv in graph.convolutions()))

    def test_the_others_have_their_layers(self):
        self.assertEqual([len(list(getattr(ios.models, f"vgg_{depth}")().convolutions())) for depth in (11, 13, 16, 19)],
                         [11, 13, 16, 19])  # fmt: skip
        self.assertEqual(tuple(ios.models.alexnet().exit_node.output_shape), (1000, 1, 1))
        self.assertEqual(ios.models.resnet18().exit_node.output_shape[0], 1000)

    def test_optimized_they_are_as_fast_as_published(self):
        # The paper's V100, batch 1: 6.51 → 4.03 ms and 0.86 → 0.73 ms.
        for name, sequential, optimized in (("inception_v3", 6.51, 4.03), ("squeezenet", 0.86, 0.73)):
            with self.subTest(name=name):
                graph = getattr(ios.models, name)()
                graph.sequential_schedule()
                self.assertAlmostEqual(np.mean(ios.ios_runtime.graph_latency(graph)), sequential, delta=0.1 * sequential)
                better = ios.optimize(graph)
                self.assertAlmostEqual(np.mean(ios.ios_runtime.graph_latency(better)), optimized, delta=0.1 * optimized)


@needs_numpy
class Programs(CompatCase):
    """What users of the original ask how to do."""

    @staticmethod
    def residual(channels=32, size=14):
        x = ios.placeholder((channels, size, size))
        block = ios.Block(x.node)
        a = ios.conv2d(block, [[x]], channels, kernel=(3, 3), padding=(1, 1))
        b = ios.conv2d(block, [[a]], channels, kernel=(3, 3), padding=(1, 1), act="identity")
        ios.relu(block, [[b, x]], is_exit=True)  # the sum of two values
        graph = ios.Graph("residual", x.node, [block])
        graph.init_weights()
        return graph

    def test_a_graph_goes_through_a_file(self):
        graph = self.residual()
        graph.greedy_schedule()
        text = json.dumps(graph.export_config())
        again = ios.Graph.from_config(json.loads(text))
        self.assertEqual(str(again), str(graph))
        self.assertEqual(json.dumps(again.export_config()), text)

    @needs_cpu
    def test_a_residual_block_adds(self):
        graph = self.residual()
        x = np.random.default_rng(2).normal(size=(2, 32, 14, 14)).astype(np.float32)
        for conv in graph.convolutions():
            conv.weight[:] = 0
            conv.bias[:] = 0
        graph.sequential_schedule()
        np.testing.assert_allclose(ios.ios_runtime.graph_inference(graph, 2, x), np.maximum(x, 0), atol=1e-6)

    def test_pruning_and_batches_are_arguments(self):
        graph = ios.models.squeezenet()
        for batch in (1, 32):
            loose = ios.optimize(graph, batch_size=batch, opt_type="dp_parallel")
            tight = ios.optimize(graph, batch_size=batch, opt_type="dp_parallel", max_num_groups=1, max_group_size=1)
            latencies = [np.mean(ios.ios_runtime.graph_latency(each, batch_size=batch)) for each in (loose, tight)]
            self.assertLessEqual(latencies[0], latencies[1] + 1e-9)
            self.assertTrue(all(len(stage) == 1 for block in tight.blocks for stage in block.stages))

    def test_the_search_tells_what_it_did(self):
        facts = {}
        ios.optimize(sample_network(), opt_type="dp_parallel", debug_dp_info=facts)
        self.assertEqual(facts["#operators"], [5])
        self.assertGreater(facts["#states"][0], 5)
        self.assertGreater(facts["#transitions"][0], facts["#states"][0])
        self.assertEqual(facts["width"], [3])
        (schedules,) = facts["#schedules"]
        self.assertEqual(facts["meta"], [{0: 1, 31: schedules}])
        self.assertEqual(len(facts["stage_latency"]), 3)
        self.assertTrue(all(name.startswith("parallel ") for name in facts["stage_latency"]))
        last = list(facts["dp"].values())[-1]
        self.assertAlmostEqual(float(last.split()[0]), sum(facts["stage_latency"].values()), places=3)

    def test_a_cost_model_of_one_s_own(self):
        class ByFlops(ios.CostModel):
            def get_stage_latency(self, stage, batch_size, warmup, number, repeat, profile_stage=False):
                return [0.01 + max(sum(node.flops() for node in group) for group in stage) / 1e9] * repeat

        optimized = ios.optimize(sample_network(), cost_model=ByFlops(), opt_type="dp_parallel", max_group_size=1)
        self.assertEqual([len(stage) for stage in optimized.blocks[0].stages], [2, 2, 1])
        alone = ios.optimize(sample_network(), cost_model=ByFlops(), opt_type="dp_parallel", max_num_groups=1)
        self.assertTrue(all(len(stage) == 1 for stage in alone.blocks[0].stages))

    def test_a_random_cost_model_gives_any_schedule(self):
        graph = ios.models.squeezenet()
        optimized = ios.optimize(graph, cost_model=ios.RandomCostModel(), compute_weight=True)
        run = {name for block in optimized.blocks for stage in block.stages for group in stage for name in group}
        self.assertEqual(run, {node.name for block in optimized.blocks for node in block.nodes})
        self.assertTrue(all(conv.weight.shape == conv.weight_shape for conv in optimized.convolutions()))

    def test_separable_convolutions_are_one_unit(self):
        x = ios.placeholder((16, 8, 8))
        block = ios.Block(x.node)
        a = ios.common.sep_conv(block, [[x]], 16, (3, 3), (1, 1), (1, 1))
        b = ios.common.rwconv2d(block, [[x]], 16)
        c = ios.common.relu_conv(block, [[a, b]], 8)
        ios.pool2d(block, [[c], [a]], "global_avg", is_exit=True)
        graph = ios.Graph("separable", x.node, [block])
        graph.init_weights()
        self.assertEqual([node.hint_name for node in block.inner_nodes], ["SepConv", "ReluSepConv", "ReluConv"])
        self.assertEqual(graph.exit_node.output_shape, (24, 1, 1))
        optimized = ios.optimize(graph, compute_weight=True)
        self.assertEqual(sorted(node.name for node in optimized.blocks[0].nodes),
                         sorted(node.name for node in block.nodes))  # fmt: skip
        self.assertIn("Sequential(", str(optimized))

    def test_blocks_and_stages_are_timed_by_themselves(self):
        graph = ios.models.squeezenet()
        graph.sequential_schedule()
        block = graph.blocks[1]
        latencies, stages = ios.ios_runtime.block_latency(block, 1, 2, 6, 2, profile_stage=True)
        self.assertEqual((len(latencies), len(stages)), (2, 2 * len(block.stages)))
        side_by_side = [[block.inner_nodes[1]], [block.inner_nodes[2]]]
        together = ios.ios_runtime.stage_latency(side_by_side, 1, 2, 6, 1)[0]
        alone = [ios.ios_runtime.stage_latency([group], 1, 2, 6, 1)[0] for group in side_by_side]
        self.assertLess(max(alone), together)
        self.assertLess(together, sum(alone))

    def test_pictures_are_drawn(self):
        graph = ios.optimize(sample_network())
        ios.draw(graph, self.path("graph.svg"), label="optimized <sample>")
        picture = xml.etree.ElementTree.parse(self.path("graph.svg"))
        titles = {title.text.split(":")[0] for title in picture.iter("{http://www.w3.org/2000/svg}title")}
        self.assertEqual(titles, set("12345"))
        ios.draw_block(graph.blocks[0], self.path("block.svg"))
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            ios.draw(graph, self.path("graph.png"))
        self.assertTrue(os.path.exists(self.path("graph.png")) or "graph.svg" in str(said[0].message))

    def test_schedules_written_by_hand_are_checked(self):
        graph = self.residual()
        graph.blocks[0].stages = [[["3"]], [["1"]], [["2"]]]
        with self.refused(what="3"):
            ios.ios_runtime.graph_latency(graph)
        graph.blocks[0].stages = None
        with self.refused(what="sequential_schedule"):
            ios.ios_runtime.graph_latency(graph)

    def test_what_it_cannot_do_it_says(self):
        with self.assertRaises(KeyError):
            ios.set_device("abacus")
        with self.refused(what="TensorRT"):
            ios.trt_runtime.graph_latency(self.residual(), batch_size=1)
        for wrong in ({"opt_type": "greedy"}, {"max_group_size": -1}, {"batch_size": 0}):
            with self.subTest(wrong=wrong), self.assertRaises(ValueError):
                ios.optimize(self.residual(), **wrong)
        with self.assertRaises(ValueError):
            ios.conv2d(ios.Block(None), [[ios.placeholder((3, 4, 4))]], 8, act="gelu")

    def test_install_makes_it_known_by_the_original_s_name(self):
        before = set(sys.modules)
        ios.install()
        self.addCleanup(lambda: [sys.modules.pop(name) for name in set(sys.modules) - before])
        self.assertIs(importlib.import_module("ios"), ios)
        for module, name in (("ios.models", "inception_v3"), ("ios.optimizer", "optimize"), ("ios.visualizer", "draw"),
                             ("ios.cost_model", "IOSCostModel"), ("ios.contrib.ios_runtime", "graph_latency"),
                             ("ios.models.common", "rwconv2d"), ("ios.ir", "Conv"), ("ios.models.resnet", "resnet50")):  # fmt: skip
            self.assertTrue(hasattr(importlib.import_module(module), name), name)


if __name__ == "__main__":
    unittest.main()
