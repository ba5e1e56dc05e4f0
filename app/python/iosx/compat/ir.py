"""Graphs as the original program describes them: nodes in blocks, with concatenated inputs that are sums of slices."""

from __future__ import annotations

from typing import Any, Iterator, Optional

import numpy as np

ACTIVATIONS = ("relu", "sigmoid", "tanh", "identity")


class Value:
    """The channels [begin, end) of the output of a node."""

    __slots__ = ["node", "begin", "end"]

    def __init__(self, node: "Node", begin: int, end: int):
        self.node, self.begin, self.end = node, begin, end

    @property
    def length(self) -> int:
        return self.end - self.begin

    @staticmethod
    def from_config(config, name2node) -> "Value":
        name, begin, end = config
        return Value(name2node[name], begin, end)

    def export_config(self) -> list:
        return [self.node.name, self.begin, self.end]

    def __eq__(self, other) -> bool:
        return (
            isinstance(other, Value)
            and self.node is other.node
            and (self.begin, self.end) == (other.begin, other.end)
        )

    def __repr__(self) -> str:
        return f"({self.node.hint_name}:{self.begin}:{self.end})"


class Node:
    """An operator. `inputs` are terms, which are concatenated along channels; a term is a list of Values, which are
    added. Shapes are (channels, height, width), without the batch. `uses` lists its readers: (node, term, value)."""

    TYPE = ""
    FIELDS: tuple[str, ...] = ()  # of its own, as they stand in a config

    def __init__(self, name, hint_name, inputs, output_shape, **fields):
        self.type = self.TYPE
        self.name, self.hint_name, self.inputs, self.output_shape = name, hint_name, inputs, output_shape
        self.uses: list[tuple[Node, int, int]] = []
        for field in self.FIELDS:
            setattr(self, field, fields[field])

    @staticmethod
    def from_config(config, name2node) -> "Node":
        """Creates a node from a config of export_config(); `name2node` contains the nodes that it reads, by name."""
        kind = _KINDS.get(config["type"])
        if kind is None:
            raise ValueError(f"unrecognized node type {config['type']}")
        return kind._from_config(config, name2node)

    @classmethod
    def _from_config(cls, config, name2node) -> "Node":
        inputs = [[Value.from_config(value, name2node) for value in term] for term in config.get("inputs") or []]
        node = cls(
            name=config["name"],
            hint_name=config["hint_name"],
            inputs=inputs,
            output_shape=config.get("output_shape"),
            **{field: _size(config[field]) for field in cls.FIELDS},
        )
        node.note_uses()
        return node

    def note_uses(self) -> None:
        """Adds this node to the readers of all nodes that it reads."""
        for i, term in enumerate(self.inputs or []):
            for j, value in enumerate(term):
                value.node.uses.append((self, i, j))

    def export_config(self) -> dict[str, Any]:
        config = {"type": self.type, "name": self.name, "hint_name": self.hint_name}
        if self.inputs is not None:
            config["inputs"] = [[value.export_config() for value in term] for term in self.inputs]
        config.update({field: getattr(self, field) for field in self.FIELDS})
        config["output_shape"] = self.output_shape
        return config

    @property
    def input_shape(self) -> tuple[int, int, int]:
        channels = sum(term[0].length for term in self.inputs)
        return (channels, *self.inputs[0][0].node.output_shape[1:])

    def infer_shape(self) -> None:
        self.output_shape = tuple(self.input_shape)

    def _term_sizes(self) -> list[int]:
        return [_product((term[0].length, *term[0].node.output_shape[1:])) for term in self.inputs]

    def input_flops(self) -> float:
        """Number of operations of the sums in its inputs."""
        return sum(len(term) * size for term, size in zip(self.inputs, self._term_sizes()))

    def input_memory_access(self) -> float:
        sizes = self._term_sizes()
        sums = sum(len(term) * size for term, size in zip(self.inputs, sizes) if len(term) > 1)
        return sums + (sum(sizes) if len(sizes) > 1 else 0)

    def input_kernels(self) -> int:
        return sum(len(term) > 1 for term in self.inputs) + (len(self.inputs) > 1)

    def flops(self) -> float:
        return float(self.input_flops())

    def memory_access(self) -> float:
        return float(self.input_memory_access())

    def kernels(self) -> int:
        """Number of kernels that the original launches for it."""
        return self.input_kernels()

    def input_readable_str(self, merge_op: str = "+") -> str:
        terms = [merge_op.join(value.node.hint_name for value in term) for term in self.inputs]
        if len(terms) > 1:
            return f"Concat({','.join(terms)})"
        return f"({terms[0]})" if len(self.inputs[0]) > 1 else terms[0]

    def readable(self) -> str:
        raise NotImplementedError

    def readable_lines(self, indent: int) -> list[str]:  # pylint: disable=unused-argument
        return [self.readable()]

    def __repr__(self) -> str:
        return self.name


def _product(sizes) -> int:
    return int(np.prod(sizes, dtype=np.int64))


def _size(field):
    """Converts sizes to tuples, also if JSON made them lists."""
    return tuple(field) if isinstance(field, list) else field


class Placeholder(Node):
    """The input of a graph."""

    TYPE = "placeholder"

    def __init__(self, name, hint_name, output_shape):
        super().__init__(name, hint_name, None, tuple(output_shape))

    @classmethod
    def _from_config(cls, config, name2node):
        return cls(config["name"], config["hint_name"], config["output_shape"])

    def infer_shape(self) -> None:
        pass

    def flops(self) -> float:
        return 0.0

    memory_access = flops

    def kernels(self) -> int:
        return 0

    def readable(self) -> str:
        return f"[{self.hint_name}]Placeholder"


class Conv(Node):
    """A convolution with an activation. `weight` and `bias` are arrays, or None until they are set."""

    TYPE = "conv"
    FIELDS = ("out_channels", "kernel", "stride", "padding", "groups", "act")

    def __init__(self, name, hint_name, inputs, out_channels, kernel, stride, padding, groups, act, output_shape):
        if act not in ACTIVATIONS:
            raise ValueError(f"act must be one of {', '.join(ACTIVATIONS)}, not {act!r}")
        super().__init__(
            name,
            hint_name,
            inputs,
            output_shape,
            out_channels=out_channels,
            kernel=kernel,
            stride=stride,
            padding=padding,
            groups=groups,
            act=act,
        )
        self.weight: Optional[np.ndarray] = None
        self.bias: Optional[np.ndarray] = None

    @property
    def weight_shape(self) -> tuple[int, ...]:
        return (self.out_channels, self.input_shape[0] // self.groups, *self.kernel)

    @property
    def bias_shape(self) -> tuple[int, ...]:
        return (self.out_channels,)

    def init_weights(self) -> None:
        bound = 1 / np.sqrt(_product(self.weight_shape[1:]))
        self.weight = np.random.uniform(-bound, bound, self.weight_shape).astype(np.float32)
        self.bias = np.random.uniform(-bound, bound, self.bias_shape).astype(np.float32)

    def infer_shape(self) -> None:
        pixels = (
            (size + 2 * padding - kernel) // stride + 1
            for size, kernel, stride, padding in zip(self.input_shape[1:], self.kernel, self.stride, self.padding)
        )
        self.output_shape = (self.out_channels, *pixels)

    def flops(self) -> float:
        return _product(self.output_shape) * (1 + _product(self.weight_shape[1:])) + self.input_flops()

    def memory_access(self) -> float:
        return _product(self.input_shape) + self.input_memory_access()

    def kernels(self) -> int:
        return 1 + self.input_kernels()

    def readable(self) -> str:
        return f"[{self.hint_name}]Conv2d({self.input_readable_str()})"


class Pool(Node):
    """Pooling: 'max', 'avg', 'global_max' or 'global_avg'."""

    TYPE = "pool"
    FIELDS = ("pool_type", "kernel", "stride", "padding")
    TITLES = {
        "max": "MaxPool2d",
        "avg": "AvgPool2d",
        "global_max": "GlobalMaxPool2d",
        "global_avg": "GlobalAvgPool2d",
    }

    def __init__(self, name, hint_name, inputs, pool_type, kernel, stride, padding, output_shape):
        if pool_type not in self.TITLES:
            raise ValueError(f"pool_type must be one of {', '.join(self.TITLES)}, not {pool_type!r}")
        super().__init__(
            name, hint_name, inputs, output_shape, pool_type=pool_type, kernel=kernel, stride=stride, padding=padding
        )

    def infer_shape(self) -> None:
        if self.pool_type.startswith("global"):
            self.kernel, self.stride, self.padding = tuple(self.input_shape[1:]), (1, 1), (0, 0)
        pixels = (
            (size + 2 * padding - kernel) // stride + 1
            for size, kernel, stride, padding in zip(self.input_shape[1:], self.kernel, self.stride, self.padding)
        )
        self.output_shape = (self.input_shape[0], *pixels)

    def flops(self) -> float:
        window = 1 if self.pool_type.startswith("global") else _product(self.kernel)
        return _product(self.input_shape) * window + self.input_flops()

    def memory_access(self) -> float:
        return _product(self.input_shape) + self.input_memory_access()

    def kernels(self) -> int:
        return 1 + self.input_kernels()

    def readable(self) -> str:
        return f"[{self.hint_name}]{self.TITLES[self.pool_type]}({self.input_readable_str()})"


class Element(Node):
    """The sum ('add') or product ('mul') of terms."""

    TYPE = "element"
    FIELDS = ("op_type",)

    def __init__(self, name, hint_name, inputs, op_type, output_shape):
        if op_type not in ("add", "mul"):
            raise ValueError(f"op_type must be 'add' or 'mul', not {op_type!r}")
        super().__init__(name, hint_name, inputs, output_shape, op_type=op_type)

    def infer_shape(self) -> None:
        first = self.inputs[0][0]
        self.output_shape = (first.length, *first.node.output_shape[1:])

    def readable(self) -> str:
        return f"[{self.hint_name}]{self.input_readable_str('*' if self.op_type == 'mul' else '+')}"


class Identity(Node):
    """A copy of its inputs, which is a sum or a concatenation."""

    TYPE = "identity"

    def readable(self) -> str:
        text = self.input_readable_str()
        return f"[{self.hint_name}]{text if text.startswith('Concat(') else f'({text})'}"


class _Function(Node):
    """An element-wise function."""

    def flops(self) -> float:
        return 4 * _product(self.input_shape) + self.input_flops()

    def memory_access(self) -> float:
        return _product(self.input_shape) + self.input_memory_access()

    def kernels(self) -> int:
        return 1 + self.input_kernels()


class Activation(_Function):
    """'relu', 'tanh' or 'sigmoid'."""

    TYPE = "activation"
    FIELDS = ("act_type", "inplace")

    def __init__(self, name, hint_name, inputs, act_type, inplace, output_shape):
        if act_type not in ACTIVATIONS:
            raise ValueError(f"act_type must be one of {', '.join(ACTIVATIONS)}, not {act_type!r}")
        super().__init__(name, hint_name, inputs, output_shape, act_type=act_type, inplace=inplace)

    def readable(self) -> str:
        return f"{self.act_type.capitalize()}@{self.hint_name}({self.input_readable_str()})"


class Relu(_Function):
    """max(x, 0)"""

    TYPE = "relu"

    def readable(self) -> str:
        return f"[{self.hint_name}]Relu({self.input_readable_str()})"


class Sequential(Node):
    """Several nodes that a schedule places as one unit; they run one after another."""

    TYPE = "sequential"

    def __init__(self, name, hint_name, nodes, output_shape):
        self.nodes: list[Node] = nodes
        super().__init__(name, hint_name, nodes[0].inputs, output_shape)

    @classmethod
    def _from_config(cls, config, name2node):
        known = dict(name2node)
        nodes = []
        for inner in config["nodes"]:
            nodes.append(Node.from_config(inner, known))
            known[nodes[-1].name] = nodes[-1]
        node = cls(config["name"], config["hint_name"], nodes, config.get("output_shape"))
        node.note_uses()
        return node

    def export_config(self) -> dict[str, Any]:
        return {
            "type": self.type,
            "name": self.name,
            "hint_name": self.hint_name,
            "nodes": [node.export_config() for node in self.nodes],
            "output_shape": self.output_shape,
        }

    def infer_shape(self) -> None:
        for node in self.nodes:
            node.infer_shape()
        self.output_shape = self.nodes[-1].output_shape

    def flops(self) -> float:
        return sum(node.flops() for node in self.nodes)

    def memory_access(self) -> float:
        return sum(node.memory_access() for node in self.nodes)

    def kernels(self) -> int:
        return sum(node.kernels() for node in self.nodes)

    def readable_lines(self, indent: int) -> list[str]:
        inner = [" " * indent + line for node in self.nodes for line in node.readable_lines(indent)]
        return [f"[{self.hint_name}]Sequential(", *inner, ")"]


_KINDS = {
    kind.TYPE: kind for kind in (Placeholder, Conv, Pool, Element, Identity, Activation, Relu, Sequential)
}


class Block:
    """Nodes between the enter node, which belongs to the previous block, and the exit node.

    `stages` is the schedule: a list of stages. A stage is a list of groups that run concurrently. A group is a list of
    names of nodes.
    """

    def __init__(self, enter_node, exit_node=None, inner_nodes=None, stages=None):
        self.enter_node: Node = enter_node
        self.exit_node: Optional[Node] = exit_node
        self.inner_nodes: list[Node] = [] if inner_nodes is None else inner_nodes
        self.stages: Optional[list[list[list[str]]]] = stages
        self.parts: Optional[list[list[Node]]] = None

    @property
    def nodes(self) -> list[Node]:
        """Its nodes in order; the exit node is the last."""
        return [*self.inner_nodes, self.exit_node]

    @staticmethod
    def from_config(config, name2node) -> "Block":
        nodes = []
        for each in [*config["inner_nodes"], config["exit_node"]]:
            nodes.append(Node.from_config(each, name2node))
            name2node[nodes[-1].name] = nodes[-1]
        return Block(name2node[config["enter_name"]], nodes.pop(), nodes, config.get("stages"))

    def export_config(self) -> dict[str, Any]:
        return {
            "enter_name": self.enter_node.name,
            "enter_node": self.enter_node.export_config(),
            "inner_nodes": [node.export_config() for node in self.inner_nodes],
            "exit_node": self.exit_node.export_config(),
            "stages": self.stages,
        }

    def sequential_schedule(self) -> None:
        """Sets the schedule with one node per stage."""
        self.stages = [[[node.name]] for node in self.nodes]

    def greedy_schedule(self, max_num_stream: int) -> None:
        """Sets the schedule in which every stage runs all ready nodes, in at most max_num_stream groups."""
        lacking = {node: sum(len(term) for term in node.inputs) for node in self.nodes}
        self.stages = []

        def freed_by(node):
            for user, _, _ in node.uses:
                if user in lacking:
                    lacking[user] -= 1
                    if lacking[user] == 0:
                        yield user

        ready = [*freed_by(self.enter_node)]
        while ready:
            stage, ready = ready[:max_num_stream], ready[max_num_stream:]
            self.stages.append([[node.name] for node in stage])
            for node in stage:
                ready.extend(freed_by(node))

    def flops(self) -> float:
        return sum(node.flops() for node in self.nodes)

    def memory_access(self) -> float:
        return sum(node.memory_access() for node in self.nodes)

    def kernels(self) -> int:
        return sum(node.kernels() for node in self.nodes)

    def schedule_operators(self) -> int:
        return len(self.nodes)

    def readable_lines(self, indent: int = 0) -> list[str]:
        by_name = {node.name: node for node in self.nodes}

        def framed(title, lines):
            return [f"{title}(", *(" " * indent + line for line in lines), ")"]

        def group_lines(group):
            lines = [line for name in group for line in by_name[name].readable_lines(indent)]
            return framed("Sequential ", lines) if len(group) > 1 else lines

        def stage_lines(stage):
            lines = [line for group in stage for line in group_lines(group)]
            return framed("Parallel", lines) if len(stage) > 1 else lines

        return [line for stage in self.stages or [] for line in stage_lines(stage)]


class Graph:
    """A network: blocks that run one after another. The exit node of a block is the enter node of the next block."""

    def __init__(self, name: str, input: Placeholder, blocks: list[Block]):  # pylint: disable=redefined-builtin
        self.name = name
        self.input = input
        self.blocks = blocks

    def nodes(self) -> Iterator[Node]:
        """Iterates over the input and all nodes in order, without the nodes inside a Sequential."""
        if self.blocks:
            yield self.blocks[0].enter_node
        for block in self.blocks:
            yield from block.nodes

    def convolutions(self) -> Iterator[Conv]:
        """Iterates over all convolutions, including those inside a Sequential."""
        for node in self.nodes():
            for each in node.nodes if isinstance(node, Sequential) else [node]:
                if isinstance(each, Conv):
                    yield each

    @property
    def input_shape(self) -> tuple[int, int, int]:
        return self.input.output_shape

    @property
    def enter_node(self) -> Node:
        return self.blocks[0].enter_node

    @property
    def exit_node(self) -> Node:
        return self.blocks[-1].exit_node

    @staticmethod
    def from_config(config) -> "Graph":
        """Creates a graph from a config of export_config()."""
        entry = Node.from_config(config["input"], {})
        known = {entry.name: entry}
        graph = Graph(config["name"], entry, [Block.from_config(block, known) for block in config["blocks"]])
        graph.infer_shape()
        return graph

    def export_config(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "input": self.input.export_config(),
            "blocks": [block.export_config() for block in self.blocks],
        }

    def infer_shape(self) -> None:
        for block in self.blocks:
            for node in block.nodes:
                node.infer_shape()

    def init_weights(self) -> None:
        """Makes up the weights of all convolutions."""
        for conv in self.convolutions():
            conv.init_weights()

    def sequential_schedule(self) -> None:
        for block in self.blocks:
            block.sequential_schedule()

    def greedy_schedule(self, max_num_stream: int = 10) -> None:
        for block in self.blocks:
            block.greedy_schedule(max_num_stream)

    def flops(self) -> float:
        return sum(block.flops() for block in self.blocks)

    def memory_access(self) -> float:
        return sum(block.memory_access() for block in self.blocks)

    def kernels(self) -> int:
        return sum(block.kernels() for block in self.blocks)

    def schedule_operators(self) -> int:
        return sum(block.schedule_operators() for block in self.blocks)

    def readable_lines(self, indent: int = 0) -> list[str]:
        lines = [" " * indent + line for block in self.blocks for line in block.readable_lines(indent)]
        return ["Sequential(", *lines, ")"]

    def __str__(self) -> str:
        return "\n".join(self.readable_lines(2))

    def _repr_html_(self) -> str:
        from ._bridge import to_core

        return to_core(self)._repr_html_()
