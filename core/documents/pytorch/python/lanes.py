"""What network.py is made of: groups of a stage or lanes side by side on CUDA streams, merged layers, one CUDA
graph.

Needs torch 2.1 or newer and numpy, nothing else.
"""

import contextlib
import json
from pathlib import Path

import numpy
import torch
import torch.nn.functional as F
from torch import nn

WARM_UPS = 3  # before a capture: libraries choose their algorithms and allocate their workspaces


class ScheduledNetwork(nn.Module):
    """A network for inference, whose stages run one after another, or whose kernels run on lanes without barriers.

    sequential: False runs groups or lanes side by side and merged layers as one; True runs every unit by itself,
    one after another. Both compute the same but for rounding. On a CPU groups run in turn, and what is on lanes in the
    order in which it is launched.
    """

    def __init__(self):
        super().__init__()
        self.sequential = False
        self.register_buffer("place", torch.empty(0), persistent=False)  # moves with the weights
        self._streams = []
        self._events = []
        self.register_load_state_dict_post_hook(_join_merged)

    @property
    def device(self):
        return self.place.device

    def load(self, path):
        """Takes the weights from a safetensors file with the keys of state_dict()."""
        self.load_state_dict(read_safetensors(path), assign=True)
        self.requires_grad_(False)
        self.eval()

    def side_by_side(self, *groups):
        """Calls the groups of one stage and returns their results in order.

        On CUDA the first group runs on the current stream and each other one on a stream of its own. These streams start
        when the current one has come here, and the current one goes on when all of them have ended.
        """
        if self.sequential or self.device.type != "cuda":
            return [group() for group in groups]
        main = torch.cuda.current_stream(self.device)
        while len(self._streams) < len(groups) - 1:
            self._streams.append(torch.cuda.Stream(self.device))
        while len(self._events) < len(groups):
            self._events.append(torch.cuda.Event())
        fork, *ends = self._events
        fork.record(main)
        results = [None] * len(groups)
        for i, (stream, end) in enumerate(zip(self._streams, ends[: len(groups) - 1]), start=1):
            stream.wait_event(fork)
            with torch.cuda.stream(stream):
                results[i] = groups[i]()
            end.record(stream)
        results[0] = groups[0]()
        for end in ends[: len(groups) - 1]:
            main.wait_event(end)
        # Memory belongs to the stream that allocated it. What a group returns is read on other streams, and forward()
        # drops it only after a stage has ended, when the current stream has waited for all its readers: so it is enough
        # that the allocator waits for the current stream. A capture has memory that nobody else gets.
        if not torch.cuda.is_current_stream_capturing():
            for result in results[1:]:
                for tensor in result if isinstance(result, tuple) else (result,):
                    tensor.record_stream(main)
        return results

    def on_lanes(self, count):
        """The lanes of one run of a schedule without barriers; see _Lanes."""
        return _Lanes(self, count)

    def capture(self, *example):
        """One CUDA graph of the whole network, as a callable that replays it.

        It takes inputs of the example's shapes, which are copied into fixed buffers, and returns the outputs' buffers:
        the next call overwrites them, so clone() what is to be kept. It keeps the mode and the weights' places of now: do
        not move the network afterwards. Raises RuntimeError where there is no CUDA device or the network is not on it.
        """
        if not torch.cuda.is_available():
            raise RuntimeError("capture() makes a CUDA graph, and torch finds no CUDA device here: call the network itself")
        if self.device.type != "cuda":
            raise RuntimeError(f"capture() makes a CUDA graph, but the network is on {self.device}: call .to('cuda') first")
        buffers = [tensor.detach().to(self.place.device, copy=True) for tensor in example]
        main = torch.cuda.current_stream(self.device)
        warm_up = torch.cuda.Stream(self.device)
        warm_up.wait_stream(main)
        with torch.cuda.device(self.device), torch.no_grad():
            with torch.cuda.stream(warm_up):
                for _ in range(WARM_UPS):
                    self(*buffers)
            main.wait_stream(warm_up)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                outputs = self(*buffers)

        def replay(*inputs):
            if [tensor.shape for tensor in inputs] != [buffer.shape for buffer in buffers]:
                expected = ", ".join(str(tuple(buffer.shape)) for buffer in buffers)
                raise ValueError(f"this graph was captured for inputs of the shapes {expected}: capture another one")
            for buffer, tensor in zip(buffers, inputs):
                buffer.copy_(tensor, non_blocking=True)
            graph.replay()
            return outputs

        return replay


class _Lanes:
    """Lanes of one run: lane 0 is the current stream, each other one a stream of its own, which starts when the current
    one has come here.

        with lanes(1, after=(3,)):  # on lane 1, when step 3 has ended
            y = f(x)
            lanes.done(4)  # y is there: other lanes wait for step 4
        lanes.end(y)

    Memory belongs to the lane that allocated it, and goes back to it when a tensor is dropped. forward() drops what other
    lanes read only where its own lane has waited for all of them.
    """

    def __init__(self, network, count):
        self._network = network
        self._side_by_side = not network.sequential and network.device.type == "cuda"
        if not self._side_by_side:
            return
        while len(network._streams) < count - 1:
            network._streams.append(torch.cuda.Stream(network.device))
        self._lanes = [torch.cuda.current_stream(network.device)] + network._streams[: count - 1]
        fork = self._event(0)
        fork.record(self._lanes[0])
        for lane in self._lanes[1:]:
            lane.wait_event(fork)
        self._last = 0  # event

    def _event(self, number):
        events = self._network._events
        while len(events) <= number:
            events.append(torch.cuda.Event())
        return events[number]

    @contextlib.contextmanager
    def __call__(self, lane, after=()):
        if not self._side_by_side:
            yield
            return
        stream = self._lanes[lane]
        for step in after:
            stream.wait_event(self._event(step))
        with torch.cuda.stream(stream):
            yield

    def done(self, step):
        """What has been launched on this lane so far is what others wait for as that step."""
        if self._side_by_side:
            self._event(step).record(torch.cuda.current_stream(self._network.device))
            self._last = max(self._last, step)

    def end(self, *kept):
        """The current stream goes on when all lanes have ended.

        `kept` are tensors that other lanes allocated and that are still there: the allocator waits for the current stream
        before it gives their memory away. A capture has memory that nobody else gets.
        """
        if not self._side_by_side:
            return
        main = self._lanes[0]
        for number, lane in enumerate(self._lanes[1:], start=self._last + 1):
            self._event(number).record(lane)
            main.wait_event(self._event(number))
        if not torch.cuda.is_current_stream_capturing():
            for tensor in kept:
                tensor.record_stream(main)


class _Merged(nn.Module):
    """Layers of one input as one, their weights one after another. Returns the output of each.

    The layers stay where they are in the network, with their weights; the joined ones are made of these when weights are
    loaded.
    """

    def __init__(self, layers, sizes, axis, activation):
        super().__init__()
        self.layers = list(layers)  # a list, so that they are not registered twice
        self.sizes = sizes  # of their outputs along the axis
        self.axis = axis
        self.activation = activation or _same
        self.register_buffer("weight", None, persistent=False)
        self.register_buffer("bias", None, persistent=False)

    def join(self):
        with torch.no_grad():
            self.weight = torch.cat([self._padded(layer.weight) for layer in self.layers])
            self.bias = torch.cat([layer.bias for layer in self.layers])

    def _padded(self, weight):
        return weight

    def forward(self, x, sequential=False):
        if sequential:
            return tuple(self.activation(layer(x)) for layer in self.layers)
        return self.activation(self._joined(x)).split(self.sizes, dim=self.axis)


class MergedConv(_Merged):
    """Convolutions as one along the output channels, smaller kernels in the middle of the largest one with zeros around
    them.
    """

    def __init__(self, *convolutions, activation=None):
        super().__init__(convolutions, [conv.out_channels for conv in convolutions], 1, activation)
        self.stride = convolutions[0].stride
        self.dilation = convolutions[0].dilation
        self.end_padding = getattr(convolutions[0], "end_padding", (0, 0))
        self.padding = tuple(max(sizes) for sizes in zip(*(conv.padding for conv in convolutions)))
        self.kernel = tuple(max(sizes) for sizes in zip(*(conv.kernel_size for conv in convolutions)))

    def _padded(self, weight):
        above, left = ((size - own) // 2 for size, own in zip(self.kernel, weight.shape[2:]))
        return F.pad(weight, (left, left, above, above))

    def _joined(self, x):
        x, padding = _padded_at_end(x, self.padding, self.end_padding)
        return F.conv2d(x, self.weight, self.bias, self.stride, padding, self.dilation)

    def extra_repr(self):
        return f"{sum(self.sizes)} channels, kernel_size={self.kernel}"


class MergedLinear(_Merged):
    """Linear layers as one along their features."""

    def __init__(self, *layers, activation=None):
        super().__init__(layers, [layer.out_features for layer in layers], -1, activation)

    def _joined(self, x):
        return F.linear(x, self.weight, self.bias)

    def extra_repr(self):
        return f"{sum(self.sizes)} features"


def _same(x):
    return x


def _padded_at_end(x, padding, end_padding):
    """The input and what padding is left for the convolution."""
    if end_padding == (0, 0):
        return x, padding
    (top, left), (below, right) = padding, end_padding
    return F.pad(x, (left, left + right, top, top + below)), (0, 0)


def _join_merged(network, _incompatible_keys):
    for module in network.modules():
        if isinstance(module, _Merged):
            module.join()


class PaddedConv2d(nn.Conv2d):
    """A convolution with other padding below and to the right: end_padding, (height, width), is added to it there."""

    def __init__(self, *sizes, end_padding, **options):
        super().__init__(*sizes, **options)
        self.end_padding = end_padding

    def forward(self, x):
        x, padding = _padded_at_end(x, self.padding, self.end_padding)
        return F.conv2d(x, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)


class Affine(nn.Module):
    """weight * x + bias for each channel: a batch normalisation for inference. With shift_first weight * (x + bias)."""

    def __init__(self, channels, shift_first=False):
        super().__init__()
        self.shift_first = shift_first
        self.weight = nn.Parameter(torch.empty(channels))
        self.bias = nn.Parameter(torch.empty(channels))

    def forward(self, x):
        shape = (-1,) + (1,) * (x.dim() - 2)
        weight, bias = self.weight.view(shape), self.bias.view(shape)
        return (x + bias) * weight if self.shift_first else x * weight + bias


class RootMeanSquareNorm(nn.Module):
    """x / sqrt(mean of x * x + eps) over the last axes, of these sizes."""

    def __init__(self, sizes, eps, elementwise_affine=True):
        super().__init__()
        self.axes = tuple(range(-len(sizes), 0))
        self.eps = eps
        self.weight = nn.Parameter(torch.empty(sizes)) if elementwise_affine else None
        self.bias = nn.Parameter(torch.empty(sizes)) if elementwise_affine else None

    def forward(self, x):
        x = x * torch.rsqrt(x.square().mean(dim=self.axes, keepdim=True) + self.eps)
        return x if self.weight is None else x * self.weight + self.bias


class Pick(nn.Module):
    """Chooses elements along axes: {axis: indices}."""

    def __init__(self, indices):
        super().__init__()
        self.axes = list(indices)
        for axis, chosen in indices.items():
            self.register_buffer(f"axis_{axis}", torch.tensor(list(chosen), device="cpu"), persistent=False)

    def forward(self, x):
        for axis in self.axes:
            x = x.index_select(axis, getattr(self, f"axis_{axis}"))
        return x


def edge(size, before, after):
    """Indices that repeat the first and last of `size` elements."""
    return [min(max(i, 0), size - 1) for i in range(-before, size + after)]


def mirrored(size, before, after):
    """Indices that go back again at both ends, without repeating the element there."""
    return [abs(i) if i < size else 2 * (size - 1) - i for i in range(-before, size + after)]


class Resize(nn.Module):
    """ONNX's Resize along some axes, {axis: (input size, output size, scale)}, for coordinates and roundings that
    torch's interpolate does not have.
    """

    def __init__(self, axes, mode, coordinates, rounding="floor"):
        super().__init__()
        self.axes = list(axes)
        for axis, (size, out, scale) in axes.items():
            position = _positions(out, size, numpy.float32(scale), coordinates)
            if mode == "nearest":
                position = _ROUNDINGS[rounding](position)
            position = position.clip(0, size - 1)
            low = numpy.floor(position).astype(numpy.int64)
            share = torch.from_numpy((position - low).astype(numpy.float32))
            self.register_buffer(f"low_{axis}", torch.from_numpy(low), persistent=False)
            self.register_buffer(f"high_{axis}", torch.from_numpy((low + 1).clip(max=size - 1)), persistent=False)
            self.register_buffer(f"share_{axis}", share if mode == "linear" else None, persistent=False)

    def forward(self, x):
        for axis in self.axes:
            low = x.index_select(axis, getattr(self, f"low_{axis}"))
            share = getattr(self, f"share_{axis}")
            if share is not None:
                high = x.index_select(axis, getattr(self, f"high_{axis}"))
                low = torch.lerp(low, high, share.view((-1,) + (1,) * (x.dim() - 1 - axis)))
            x = low
        return x


def _positions(out, size, scale, coordinates):
    """Where the elements of the output lie in the input."""
    x = numpy.arange(out, dtype=numpy.float32)
    if coordinates == "asymmetric":
        return x / scale
    if coordinates == "align_corners":
        return x * numpy.float32(size - 1) / numpy.float32(out - 1) if out > 1 else x * 0
    if coordinates == "pytorch_half_pixel" and out == 1:
        return x * 0
    half = numpy.float32(0.5)
    return (x + half) / scale - half


_ROUNDINGS = {
    "round_prefer_floor": lambda x: numpy.ceil(x - numpy.float32(0.5)),
    "round_prefer_ceil": lambda x: numpy.floor(x + numpy.float32(0.5)),
    "floor": numpy.floor,
    "ceil": numpy.ceil,
}


class Recurrent(nn.Module):
    """ONNX's RNN, GRU or LSTM over batch x positions x sequences x features, gates in ONNX's order.

    With last_cell the cell state that each direction ends with follows the hidden states as one more position.
    """

    def __init__(
        self, kind, direction, features, hidden, biases, linear_before_reset=False, peepholes=False, last_cell=False
    ):
        super().__init__()
        gates = {"rnn": 1, "gru": 3, "lstm": 4}[kind]
        self.kind, self.hidden, self.features, self.rows = kind, hidden, features, gates * hidden
        self.backwards = {"forward": [False], "reverse": [True], "both": [False, True]}[direction]
        self.linear_before_reset, self.peepholes, self.last_cell = linear_before_reset, peepholes, last_cell
        self.weight = nn.Parameter(torch.empty(len(self.backwards) * self.rows, features + hidden))
        self.bias = nn.Parameter(torch.empty(biases))

    def forward(self, x, hidden=None, cell=None):
        batch, positions, sequences, _ = x.shape
        outputs = []
        weights = self.weight.chunk(len(self.backwards))
        biases = self.bias.chunk(len(self.backwards))
        for direction, backwards in enumerate(self.backwards):
            zeros = x.new_zeros(batch, sequences, self.hidden)
            h = zeros if hidden is None else hidden[:, direction]
            c = zeros if cell is None else cell[:, direction]
            steps = [None] * positions
            for i in reversed(range(positions)) if backwards else range(positions):
                h, c = self._step(x[:, i], h, c, weights[direction], biases[direction])
                steps[i] = h
            if self.last_cell:
                steps.append(c)
            outputs.append(torch.stack(steps, dim=1))
        return torch.stack(outputs, dim=2)

    def _step(self, x, h, c, weight, bias):
        of_input, of_state = weight.split((self.features, self.hidden), dim=1)
        bias_x, bias_h, peepholes = bias.split((self.rows, self.rows, bias.numel() - 2 * self.rows))
        gates = F.linear(x, of_input, bias_x)
        if self.kind == "gru":
            last = 2 * self.hidden
            update, reset, new = gates.chunk(3, dim=-1)
            update_h, reset_h = F.linear(h, of_state[:last], bias_h[:last]).chunk(2, dim=-1)
            update, reset = torch.sigmoid(update + update_h), torch.sigmoid(reset + reset_h)
            if self.linear_before_reset:
                new = new + reset * F.linear(h, of_state[last:], bias_h[last:])
            else:
                new = new + F.linear(reset * h, of_state[last:], bias_h[last:])
            return (1 - update) * torch.tanh(new) + update * h, c
        gates = gates + F.linear(h, of_state, bias_h)
        if self.kind == "rnn":
            return torch.tanh(gates), c
        entry, output, forget, new = gates.chunk(4, dim=-1)
        of_entry, of_output, of_forget = peepholes.chunk(3) if self.peepholes else (0, 0, 0)
        c_next = torch.sigmoid(forget + of_forget * c) * c + torch.sigmoid(entry + of_entry * c) * torch.tanh(new)
        return torch.sigmoid(output + of_output * c_next) * torch.tanh(c_next), c_next


def top_k(x, k, dim, largest, places):
    """The k largest or smallest elements or their places; of equal ones the first comes first."""
    values, indices = torch.sort(x, dim=dim, descending=largest, stable=True)
    return (indices.to(x.dtype) if places else values).narrow(dim, 0, k)


def max_pool(x, kernel, stride, padding, dilation, out):
    """Max pooling with any padding, (left, right, top, bottom), to an output of the size `out`."""
    x = F.pad(x, _reaching(x, kernel, stride, padding, dilation, out), value=float("-inf"))
    return F.max_pool2d(x, kernel, stride, 0, dilation)[..., : out[0], : out[1]]


def average_pool(x, kernel, stride, padding, dilation, count_padding, out):
    """Average pooling with any padding, (left, right, top, bottom), to an output of the size `out`. Its mean counts
    padding where that is asked for, and never what lies beyond it.
    """
    counted = torch.ones((1, 1) + x.shape[2:], dtype=x.dtype, device=x.device)
    counted = F.pad(counted, padding, value=float(count_padding))
    beyond = [reach - own for reach, own in zip(_reaching(x, kernel, stride, padding, dilation, out), padding)]
    sums, counts = 0, 0
    padded = F.pad(F.pad(x, padding), beyond)
    counted = F.pad(counted, beyond)
    for row in range(kernel[0]):
        for column in range(kernel[1]):
            top, left = row * dilation[0], column * dilation[1]
            bottom, right = top + (out[0] - 1) * stride[0] + 1, left + (out[1] - 1) * stride[1] + 1
            window = (..., slice(top, bottom, stride[0]), slice(left, right, stride[1]))
            sums = sums + padded[window]
            counts = counts + counted[window]
    return sums / counts


def _reaching(x, kernel, stride, padding, dilation, out):
    """The padding, enlarged at the end to what the last window reaches into."""
    left, right, top, bottom = padding
    needed = [(out[i] - 1) * stride[i] + dilation[i] * (kernel[i] - 1) + 1 for i in range(2)]
    return [
        left,
        max(right, needed[1] - left - x.shape[3]),
        top,
        max(bottom, needed[0] - top - x.shape[2]),
    ]


def local_response_norm(x, size, alpha, beta, bias):
    """ONNX's LRN: of an even number of channels, the larger half comes after the channel."""
    squares = x * x
    before = (size - 1) // 2
    padded = F.pad(squares, (0, 0) * (x.dim() - 2) + (before, size - 1 - before))
    sums = sum(padded[:, i : i + x.shape[1]] for i in range(size))
    return x / (bias + alpha / size * sums) ** beta


def shrink(x, bound, bias):
    return torch.where(x < -bound, x + bias, torch.where(x > bound, x - bias, torch.zeros_like(x)))


def is_inf(x, negative, positive):
    found = torch.zeros_like(x, dtype=torch.bool)
    if negative:
        found = found | (x == float("-inf"))
    if positive:
        found = found | (x == float("inf"))
    return found.float()


def product(x, axes, keepdim):
    for axis in reversed(axes):
        x = x.prod(dim=axis, keepdim=keepdim)
    return x


def place_of(x, axis, keepdim, last):
    """Where the largest element of the axis is; of equal ones the first, or the last."""
    if not last:
        return x.argmax(dim=axis, keepdim=keepdim).float()
    return (x.shape[axis] - 1 - x.flip(axis).argmax(dim=axis, keepdim=keepdim)).float()


def _places(indices, size):
    """Negative indices count from the end; those outside of the axis are its nearest end."""
    indices = indices.long().clamp(-size, size - 1)
    return torch.where(indices < 0, indices + size, indices)


def look_up(table, indices):
    """Rows of a table that is the same for all samples."""
    return table[_places(indices, table.shape[0])]


def gather_slices(x, indices, axis):
    """For each sample by itself, what lies at the indices of its axis."""
    places = _places(indices, x.shape[axis])
    return torch.stack([sample.index_select(axis - 1, at.reshape(-1)).reshape(
        sample.shape[: axis - 1] + at.shape + sample.shape[axis:]) for sample, at in zip(x, places)])


def gather_elements(x, indices, axis):
    return x.gather(axis, _places(indices, x.shape[axis]))


def read_safetensors(path):
    """{name: tensor} of a file with float32 tensors."""
    tensors = {}
    with open(path, "rb") as file:
        header_size = int.from_bytes(file.read(8), "little")
        entries = json.loads(file.read(header_size))
        for name, entry in entries.items():
            if name == "__metadata__":
                continue
            begin, end = entry["data_offsets"]
            file.seek(8 + header_size + begin)
            values = numpy.fromfile(file, dtype="<f4", count=(end - begin) // 4)
            if values.nbytes != end - begin:
                raise ValueError(f"{Path(path).name} ends too early: export or copy it again")
            tensors[name] = torch.from_numpy(values.reshape(entry["shape"]))
    return tensors
