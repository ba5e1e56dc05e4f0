"""Random ONNX models, and whether iosx computes and converts them as ONNX Runtime does (see ../fuzz_onnx.py)."""
