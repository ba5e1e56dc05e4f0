#!/usr/bin/env python3
"""Runs written packages on made-up CUDA streams, which need no GPU, by their own order.py, and looks whether that finds what
is wrong.

    python3 check_streams.py PYTORCH_PACKAGES

Exits with 1 where something is wrong, and with 77 (skipped) where torch or numpy is missing.
"""

import ast
import copy
import importlib
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from check_packages import BATCH, error_of, load_package, numbers, torch  # skips where there is no torch


def order_of(network):
    """The package's order.py."""
    return importlib.import_module(type(network).__module__.rpartition(".")[0] + ".order")


def inputs_of(case, network):
    return [numbers(case / f"input_{i}", (BATCH,) + shape) for i, shape in enumerate(network.INPUTS.values())]


def as_tuple(outputs):
    return outputs if isinstance(outputs, tuple) else (outputs,)


def dropped_at_once(source):
    """A module whose forward() drops what is made on lanes behind the statement that reads it last, on whatever lane."""
    tree = ast.parse(source)
    forward = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "forward")
    blocks = [statement for statement in forward.body if isinstance(statement, ast.With)]
    names = lambda node: {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
    last = {}
    for block in blocks:
        block.body = [statement for statement in block.body if not isinstance(statement, ast.Delete)]
        for statement in block.body:
            last.update(dict.fromkeys(names(statement), statement))
    end = next(statement for statement in forward.body if ast.unparse(statement).startswith("lanes.end("))
    end.value.args = [name for name in end.value.args if name.id in names(forward.body[-1])]
    for block in blocks:
        body = []
        for statement in block.body:
            done = [name for name, at in last.items() if at is statement and name in made_in(blocks)]
            done = [name for name in done if name not in names(forward.body[-1])]
            body += [statement] + [ast.parse(f"{name} = None").body[0] for name in sorted(done)]
        block.body = body
    return ast.unparse(tree)


def made_in(blocks):
    targets = (target for block in blocks for node in ast.walk(block) if isinstance(node, ast.Assign) for target in node.targets)
    return {name.id for target in targets for name in ast.walk(target) if isinstance(name, ast.Name)}


class Packages(unittest.TestCase):
    folder = None

    def networks(self, patterns=("random-?", "dag-?", "lanes-?", "lanes-views-*")):
        for pattern in patterns:
            for case in sorted(Path(self.folder).glob(pattern)):
                yield case, load_package(case / "package").Network()

    def run_on_streams(self, case, network):
        inputs = inputs_of(case, network)
        record = order_of(network).Record(network)
        with record.stand_in():
            for _ in range(2):  # the second time with events and streams that were used before
                outputs = as_tuple(network(*inputs))
                record.check_outputs(outputs)
                record.check_end()
        for i, output in enumerate(outputs):
            self.assertLess(error_of(numbers(case / f"output_{i}", (-1,)), output), 1e-4, case.name)
        return record

    def test_stages_and_lanes_wait_for_what_they_read(self):
        most_streams = 0
        taken_late = 0
        for case, network in self.networks():
            record = self.run_on_streams(case, network)
            self.assertEqual(record.found, [], case.name)
            self.assertTrue(record.all_joined(), case.name)
            most_streams = max(most_streams, len(record.streams))
            taken_late += record.taken_late
        self.assertGreater(most_streams, 2)
        self.assertGreater(taken_late, 100)  # or nothing was shown

    def test_lanes_give_memory_back_before_the_end(self):
        deleted = [case for case, _ in self.networks(["lanes-?"]) if "del " in (case / "package/network.py").read_text()]
        self.assertGreater(len(deleted), 5)

    def test_the_check_itself_sees_a_missing_wait_and_lost_memory(self):
        self.assertTrue(self.found_without("Stream", "wait_event", "random-?", "read of what may still be written"))
        self.assertTrue(self.found_without("Stream", "wait_event", "lanes-?", "read of what may still be written"))
        self.assertTrue(self.found_without("Record", "know", "random-?", "memory"))
        self.assertTrue(self.found_without("Record", "know", "lanes-?", "memory"))

    def found_without(self, kind, method, pattern, words):
        """What is found in packages that lack what the method stands for."""
        found = []
        for case, network in self.networks([pattern]):
            with mock.patch.object(getattr(order_of(network), kind), method, lambda *_: None):
                found += [sentence for sentence in self.run_on_streams(case, network).found if words in sentence]
        return found

    def test_the_check_itself_sees_memory_of_lanes_that_is_given_back_early(self):
        """Everything is dropped as soon as it has been read in Python's order."""
        found = 0
        for case, _ in self.networks(["lanes-?"]):
            source = case / "package/network.py"
            text = source.read_text()
            source.write_text(dropped_at_once(text))
            record = self.run_on_streams(case, load_package(case / "package").Network())
            found += any("memory is given back that may still be used" in sentence for sentence in record.found)
            source.write_text(text)
        self.assertGreater(found, 0)

    def test_sequential_uses_one_stream_and_no_merged_filter(self):
        for case, network in self.networks():
            network.sequential = True
            for module in network.modules():
                if type(module).__name__ in ("MergedConv", "MergedLinear"):
                    module.weight = module.bias = None
            self.assertEqual(len(self.run_on_streams(case, network).streams), 1)

    def test_merged_filters_follow_weights_that_are_loaded(self):
        case = Path(self.folder) / "merging"
        network = load_package(case / "package").Network()
        inputs = inputs_of(case, network)
        before = network(*inputs)
        network.load_state_dict({key: 2 * tensor for key, tensor in network.state_dict().items()})
        self.assertLess(error_of(2 * before, network(*inputs)), 1e-5)
        halves = copy.deepcopy(network).double()
        self.assertLess(error_of(network(*inputs).double(), halves(inputs[0].double())), 1e-5)

    def test_a_capture_has_all_streams_and_fixed_buffers(self):
        for case, network in self.networks():
            inputs = inputs_of(case, network)
            record = order_of(network).Record(network)
            with record.stand_in():
                replay = network.capture(*inputs)
                outputs = as_tuple(replay(*inputs))
                self.assertIs(as_tuple(replay(*inputs))[0], outputs[0])
                with self.assertRaisesRegex(ValueError, "captured for inputs of the shapes"):
                    replay(*(tensor[:1] for tensor in inputs))
            self.assertEqual(record.found, [], case.name)
            self.assertEqual(record.replays, 2)
            for i, output in enumerate(outputs):
                self.assertLess(error_of(numbers(case / f"output_{i}", (-1,)), output), 1e-4, case.name)

    def test_capture_says_what_it_needs(self):
        network = load_package(Path(self.folder) / "merging" / "package").Network()
        with mock.patch.object(torch.cuda, "is_available", lambda: False):
            with self.assertRaisesRegex(RuntimeError, "CUDA"):
                network.capture(torch.zeros(1, 6, 12, 13))
        with mock.patch.object(torch.cuda, "is_available", lambda: True):
            with self.assertRaisesRegex(RuntimeError, r"on cpu.*\.to\('cuda'\)"):
                network.capture(torch.zeros(1, 6, 12, 13))

    def test_check_tells_agreement_from_difference(self):
        package = Path(self.folder) / "merging" / "package"
        command = [sys.executable, str(package / "check.py"), "--device", "cpu", "--repeats", "1", "--batch", "2"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("ok   schedule", done.stdout)
        self.assertIn("x sequential", done.stdout)
        lanes = (package / "lanes.py").read_text()
        (package / "lanes.py").write_text(lanes.replace("[layer.bias for", "[2 * layer.bias for", 1))
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        (package / "lanes.py").write_text(lanes)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("FAIL schedule", done.stdout)

    def test_check_refuses_options_that_would_do_nothing(self):
        package = next(case for case, _ in self.networks(["lanes-?"])) / "package"
        for arguments, word in ((["--json"], "--order"), (["--order", "--batch", "0"], "--batch")):
            command = [sys.executable, str(package / "check.py"), *arguments]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn(word, done.stderr)
            self.assertEqual(done.stdout, "")

    def test_check_order_names_the_wait_that_was_removed(self):
        package = next(case for case, _ in self.networks(["lanes-?"])) / "package"
        command = [sys.executable, str(package / "check.py"), "--order"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("none without order", done.stdout)
        source = package / "network.py"
        text = source.read_text()
        source.write_text(re.sub(r", after=\([^)]*\)", "", text))
        done = subprocess.run(command + ["--json"], capture_output=True, text=True, check=False)
        source.write_text(text)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(json.loads(done.stdout)["unordered"][0], r"may still be .*network\.py:\d+, lane \d+")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        subprocess.run([sys.argv[1], made], check=True)
        Packages.folder = made
        unittest.main(argv=sys.argv[:1])
