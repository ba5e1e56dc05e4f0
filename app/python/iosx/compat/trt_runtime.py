"""The runtime of TensorRT, which is not part of this program."""

from .._errors import Error


def _lacking(*_arguments, **_options):
    raise Error(
        "TensorRT is not part of this program",
        "trt_runtime",
        "compare with TensorRT with iosx experiment frameworks, or read its profile with iosx compare --external",
    )


graph_latency = graph_inference = block_latency = _lacking
