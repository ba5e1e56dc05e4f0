"""A random model by a seed and a number."""

import random
from dataclasses import dataclass, field

import numpy as np
import onnx
from onnx import helper

from . import (contrib, control, elementwise, functions, layout, lists, matrices, oracle, precision, quantised,
               selecting, sequences, windows)
from .builder import LARGEST_INTEGER, Builder, Unfit, Value, value_info
from .oracle import Feeds, Refused
from .registry import OPERATORS

FAMILIES = (contrib, control, elementwise, functions, layout, lists, matrices, precision, quantised, selecting,
            sequences, windows)  # importing them fills OPERATORS
OLDEST, NEWEST = 7, 23


@dataclass
class Case:
    """One choice of the sizes that a model leaves open: inputs, and the outputs that are right."""

    feeds: Feeds
    batch: int
    dims: dict[str, int]
    outputs: list[np.ndarray] = field(default_factory=list)


@dataclass
class Model:
    """A model with what it is to compute.

    Rounding can change the outputs of an unstable one by more than rounding. One that is half computes in 16 bits.
    """

    proto: onnx.ModelProto
    cases: list[Case]
    unstable: bool
    half: bool
    quanta: dict[str, float]  # by value, for values that quantisation made
    rounded: set[str]  # the values whose own nodes round

    @property
    def inputs(self) -> list[onnx.ValueInfoProto]:
        constants = {each.name for each in self.proto.graph.initializer}
        return [each for each in self.proto.graph.input if each.name not in constants]


def random_model(seed: int, number: int) -> Model:
    """The model of this number, which the oracle can run. What it cannot run is discarded and grown anew."""
    for attempt in range(1000):
        rng = random.Random(f"{seed}.{number}.{attempt}")
        try:
            return grown(rng)
        except (Unfit, Refused):
            continue
    raise RuntimeError(f"no model of seed {seed} and number {number} can be run")


def grown(rng: random.Random) -> Model:
    builder = Builder(rng, rng.randint(OLDEST, NEWEST))
    fitting = [each for each in OPERATORS if each.since <= builder.opset <= each.until]
    weights = [each.weight for each in fitting]
    wanted = rng.choice([1, 1, 2, 2, 3, 4, 5, 6, 8])
    done = 0
    for _ in range(6 * wanted):
        if done == wanted:
            break
        done += builder.attempt(rng.choices(fitting, weights)[0].grow)
    if not builder.inputs or not done:
        raise Unfit
    model = assembled(builder, chosen_outputs(builder))
    oracle.check(model.proto)
    for case in model.cases:
        case.outputs = oracle.run(model.proto, case.feeds)
    return model


def chosen_outputs(b: Builder) -> list[Value]:
    """What nothing reads, at times with values in between, an input, a constant, or a second name for one."""
    read = {name for node in b.nodes for name in oracle.reads(node)}
    inputs = [value for value, _ in b.inputs]
    computed = [value for value in b.values if all(value is not each for each in inputs)]
    outputs = [value for value in computed if value.name not in read]
    rest = [value for value in computed if value.name in read]
    if rest and b.chance(0.3):
        outputs.append(b.choice(rest))
    if outputs and b.chance(0.12):
        again = b.choice(outputs)
        outputs += b.add(b.choice(["Identity", "Identity", "Flatten" if again.rank == 2 else "Identity"]), [again],
                         nature="exact")
    if b.chance(0.03):
        outputs.append(b.choice(inputs))
    # ONNX Runtime yields a sparse constant that is an output as an object of its own, which is no tensor.
    sparse = lambda node: any(each.name == "sparse_value" for each in node.attribute)
    made = {name for node in b.nodes if not sparse(node) for name in node.output}
    made |= {each.name for each in b.initializers}
    small = lambda run: run.size > 0 and (run.dtype.kind != "i" or np.abs(run.astype(float)).max() <= LARGEST_INTEGER)
    constants = [value for value in b.constants if value.name in made and small(value.runs[0])]
    if constants and b.chance(0.05):
        outputs.append(b.choice(constants))
    if not any(not value.constant for value in outputs):
        raise Unfit
    if any(len({run.ndim for run in value.runs}) > 1 for value in outputs):
        raise Unfit  # an If yields one rank or another, which cannot be declared
    b.rng.shuffle(outputs)
    return outputs


def assembled(b: Builder, outputs: list[Value]) -> Model:
    read = {name for node in b.nodes for name in oracle.reads(node)} | {value.name for value in outputs}
    inputs = [(value, dims) for value, dims in b.inputs if value.name in read]
    if not inputs:
        raise Unfit
    initializers = [each for each in b.initializers if each.name in read]
    declared = [value_info(value.name, value.runs, b.sizes, dims) for value, dims in inputs]
    if b.old_style:
        declared += [helper.make_tensor_value_info(each.name, each.data_type, each.dims) for each in initializers]
    results = [value_info(value.name, value.runs, b.sizes) for value in outputs]
    graph = helper.make_graph(b.nodes, "fuzz", declared, results, initializers)
    ir_version = 3 if b.old_style else oracle.IR_VERSION
    proto = b.model()
    proto.ir_version = ir_version
    proto.graph.CopyFrom(graph)
    cases = []
    for i, batch in enumerate(b.sizes.batch_sizes):
        dims = {"N": batch} if b.sizes.batch == "N" else {}
        dims |= {name: sizes[i] for name, sizes in b.sizes.extra.items()}
        cases.append(Case({value.name: value.runs[i] for value, _ in inputs}, batch, dims))
    values = b.values + b.constants
    quanta = {value.name: value.quantum for value in values if value.quantum}
    return Model(proto, cases, b.unstable, b.half, quanta, {value.name for value in values if value.rounded})
