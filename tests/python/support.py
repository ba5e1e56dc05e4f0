"""What the tests of the Python package share."""

import contextlib
import os
import tempfile
import unittest

import iosx

try:
    import numpy
except ImportError:
    numpy = None

needs_cpu = unittest.skipUnless(
    any(device.id == "cpu" and device.available for device in iosx.devices()), "this build has no CPU device"
)
needs_numpy = unittest.skipUnless(numpy, "numpy is not installed for this Python")


class Case(unittest.TestCase):
    """A test with a data folder of its own, so that nothing of the user's is read or changed."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
            before = os.environ.get(name)
            os.environ[name] = self.folder.name
            self.addCleanup(self._restore, name, before)

    @staticmethod
    def _restore(name, value):
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value

    def path(self, name):
        return os.path.join(self.folder.name, name)

    @contextlib.contextmanager
    def refused(self, kind=iosx.Error, what=""):
        """Expects an exception whose text has these words."""
        with self.assertRaises(kind) as caught:
            yield caught
        self.assertIn(what, str(caught.exception))


def toy(groups=1):
    """Returns a graph of two branches: 64 channels of 28 × 28 into 96 by 3 × 3 and 32 by 1 × 1, side by side."""
    builder = iosx.GraphBuilder("toy")
    x = builder.input((64, 28, 28))
    wide = builder.conv(x, 96, 3, padding=1, groups=groups, activation="relu", name="wide")
    narrow = builder.conv(x, 32, name="narrow")
    builder.concat(wide, narrow, name="both")
    return builder.build()


def _field(number, value):
    """Returns a field of a message of protobuf."""
    if isinstance(value, int):
        return bytes([number << 3, value])
    value = value.encode() if isinstance(value, str) else value
    return bytes([number << 3 | 2, len(value)]) + value


def relu_model(shape):
    """Returns an ONNX model of one relu of x. A text in the shape names an open dimension."""
    dims = b"".join(_field(1, _field(1 if isinstance(size, int) else 2, size)) for size in shape)
    tensor = _field(2, _field(1, _field(1, 1) + _field(2, dims)))
    node = _field(1, "x") + _field(2, "y") + _field(4, "Relu")
    graph = _field(1, node) + _field(2, "g") + _field(11, _field(1, "x") + tensor) + _field(12, _field(1, "y") + tensor)
    return _field(1, 8) + _field(8, _field(2, 17)) + _field(7, graph)
