#pragma once

// A small network in the original's format with every kind of operator, for tests that change one thing in it.
// Block 0: a (conv, 6 channels) → s (relu r, depthwise conv p) → m (element mul of a and s) → c (concat of a, s + m).
// Block 1: x (max pool of c) → y (conv on the last 6 channels of x, summed twice), t (tanh of y) → z (global average).
inline constexpr const char* kSmallNetwork = R"({
"name": "small",
"input": {"type": "placeholder", "name": "in", "hint_name": "in", "output_shape": [4, 8, 8]},
"blocks": [
{"enter_name": "in",
 "enter_node": {"type": "placeholder", "name": "in", "hint_name": "in", "output_shape": [4, 8, 8]},
 "inner_nodes": [
  {"type": "conv", "name": "a", "hint_name": "a", "inputs": [[["in", 0, 4]]], "out_channels": 6, "kernel": [3, 3],
   "stride": [1, 1], "padding": [1, 1], "groups": 1, "act": "relu", "output_shape": [6, 8, 8]},
  {"type": "sequential", "name": "s", "hint_name": "ReluConv", "nodes": [
    {"type": "relu", "name": "r", "hint_name": "r", "inputs": [[["a", 0, 6]]], "output_shape": [6, 8, 8]},
    {"type": "conv", "name": "p", "hint_name": "p", "inputs": [[["r", 0, 6]]], "out_channels": 6, "kernel": [3, 3],
     "stride": [1, 1], "padding": [1, 1], "groups": 6, "act": "identity", "output_shape": [6, 8, 8]}],
   "output_shape": [6, 8, 8]},
  {"type": "element", "name": "m", "hint_name": "m", "inputs": [[["a", 0, 6]], [["s", 0, 6]]], "op_type": "mul",
   "output_shape": [6, 8, 8]}],
 "exit_node": {"type": "identity", "name": "c", "hint_name": "c",
   "inputs": [[["a", 0, 6]], [["s", 0, 6], ["m", 0, 6]]], "output_shape": [12, 8, 8]},
 "stages": [[["a"]], [["s", "m"]], [["c"]]]},
{"enter_name": "c",
 "enter_node": {"type": "identity", "name": "c", "hint_name": "c",
   "inputs": [[["a", 0, 6]], [["s", 0, 6], ["m", 0, 6]]], "output_shape": [12, 8, 8]},
 "inner_nodes": [
  {"type": "pool", "name": "x", "hint_name": "x", "inputs": [[["c", 0, 12]]], "pool_type": "max", "kernel": [2, 2],
   "stride": [2, 2], "padding": [0, 0], "output_shape": [12, 4, 4]},
  {"type": "conv", "name": "y", "hint_name": "y", "inputs": [[["x", 6, 12], ["x", 0, 6]]], "out_channels": 4,
   "kernel": [1, 1], "stride": [1, 1], "padding": [0, 0], "groups": 1, "act": "sigmoid", "output_shape": [4, 4, 4]},
  {"type": "activation", "name": "t", "hint_name": "t", "inputs": [[["y", 0, 4]]], "act_type": "tanh", "inplace": false,
   "output_shape": [4, 4, 4]}],
 "exit_node": {"type": "pool", "name": "z", "hint_name": "z", "inputs": [[["t", 0, 4]], [["x", 0, 12]]],
   "pool_type": "global_avg", "kernel": [4, 4], "stride": [1, 1], "padding": [0, 0], "output_shape": [16, 1, 1]},
 "stages": [[["x"]], [["y"]], [["t"]], [["z"]]]}
]})";
