"""From torch and back."""

import copy
import io
import os
import unittest
from unittest import mock

import iosx
from support import Case, needs_numpy

try:
    import onnxscript
    import torch
except ImportError:
    torch = onnxscript = None

needs_torch = unittest.skipUnless(
    torch and onnxscript, "torch and onnxscript are not installed for this Python"
)


def block():
    """Three branches side by side, of which two are merged best."""

    class Block(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.one = torch.nn.Conv2d(16, 24, 1)
            self.two = torch.nn.Sequential(
                torch.nn.Conv2d(16, 16, 3, padding=1), torch.nn.BatchNorm2d(16)
            )
            self.three = torch.nn.Conv2d(16, 8, 5, padding=2)

        def forward(self, x):
            return torch.relu(torch.cat([self.one(x), self.two(x), self.three(x)], dim=1))

    torch.manual_seed(1)
    return Block().eval()


class Cache:
    """An object with tensors that torch does not know, as those of transformers."""

    def __init__(self):
        self.layers = []
        self.seen = 0

    def update(self, keys):
        self.layers.append({"keys": keys})
        self.seen += 1
        return self


@needs_torch
@needs_numpy
class Torch(Case):
    def setUp(self):
        super().setUp()
        self.module = block()
        self.x = torch.randn(2, 16, 12, 12)
        with torch.no_grad():
            self.expected = self.module(self.x)

    def test_a_module_becomes_a_graph_with_its_weights(self):
        graph = iosx.from_torch(self.module, self.x)
        self.assertEqual((graph.name, graph.source), ("Block", "Block"))
        self.assertEqual(iosx.from_torch(self.module, self.x, name="a/b").source, "a/b")
        _, outputs = iosx.run(graph, "sequential", self.x, "cpu", batch=2, repeat=1)
        (output,) = outputs.values()
        torch.testing.assert_close(torch.from_numpy(output), self.expected, rtol=1e-5, atol=1e-5)

    def test_its_mode_stays(self):
        self.module.train()
        iosx.from_torch(self.module, self.x)
        self.assertTrue(self.module.training)

    def test_a_schedule_becomes_a_module(self):
        compiled = iosx.compile(self.module, self.x, device="tesla-v100")
        self.assertIsInstance(compiled, torch.nn.Module)
        self.assertLessEqual(len(compiled.iosx_schedule), len(compiled.iosx_graph.units))
        with torch.no_grad():
            torch.testing.assert_close(compiled(self.x), self.expected, rtol=1e-5, atol=1e-5)

    def test_a_module_that_computes_something_else_is_refused(self):
        wrong = block()

        def forward(x):
            return type(wrong).forward(wrong, x) + 0.1

        class Other(torch.nn.Module):
            def forward(self, x):
                return forward(x)

        graph = iosx.from_torch(self.module, self.x)
        network = iosx._torch.package(graph, "sequential", (self.x,), self.expected)
        with self.refused(what="differs from the module's"):
            iosx._torch._check((Other()(self.x),), network, (self.x,))

    def test_it_is_a_backend_of_torch_compile(self):
        for _ in range(2):
            torch._dynamo.reset()
            compiled = torch.compile(self.module, backend=iosx.torch_backend, dynamic=False)
            for _ in range(3):
                with torch.no_grad():
                    torch.testing.assert_close(
                        compiled(self.x), self.expected, rtol=1e-4, atol=1e-5
                    )

    def test_another_batch_gets_a_plan_of_its_own(self):
        for dynamic in (False, None, True):
            with self.subTest(dynamic=dynamic):
                torch._dynamo.reset()
                compiled = torch.compile(self.module, backend=iosx.torch_backend, dynamic=dynamic)
                for batch in (2, 3, 5, 2, 3):
                    x = torch.randn(batch, 16, 12, 12)
                    with torch.no_grad():
                        torch.testing.assert_close(
                            compiled(x), self.module(x), rtol=1e-4, atol=1e-5
                        )

    def test_a_recurrent_module_gives_what_it_gave(self):
        x = torch.randn(2, 7, 8)
        for kind in (torch.nn.LSTM, torch.nn.GRU, torch.nn.RNN):
            for batch_first in (True, False):
                with self.subTest(kind=kind.__name__, batch_first=batch_first), torch.no_grad():
                    module = kind(8, 12, batch_first=batch_first, bidirectional=True).eval()
                    compiled = iosx.compile(module, x, device="tesla-v100")
                    torch.testing.assert_close(compiled(x), module(x), rtol=1e-5, atol=1e-5)
                    with self.refused(what="was compiled for the shapes"):
                        compiled(torch.randn(2, 8, 7))

    def test_what_goes_in_and_out_keeps_its_form(self):
        class Cell(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.cell = torch.nn.LSTMCell(8, 12)

            def forward(self, x, state):
                hidden, memory = self.cell(x, state)
                return {
                    "hidden": hidden,
                    "state": [hidden * 2, (memory,)],
                    "best": hidden.argmax(1),
                }

        module, x = Cell().eval(), torch.randn(4, 8)
        state = (torch.randn(4, 12), torch.randn(4, 12))
        compiled = iosx.compile(module, (x, state), device="tesla-v100")
        with torch.no_grad():
            expected, found = module(x, state), compiled(x, state)
        self.assertEqual(list(found), ["hidden", "state", "best"])
        self.assertEqual(found["best"].dtype, torch.int64)
        torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-5)

    def test_one_tensor_may_be_two_inputs(self):
        class Two(torch.nn.Module):
            def forward(self, x, y):
                return torch.cat([x.relu(), y.sigmoid()], 1)

        x = torch.randn(1, 3, 8, 8)
        compiled = iosx.compile(Two(), (x, x), device="tesla-v100")
        torch.testing.assert_close(compiled(x, -x), Two()(x, -x), rtol=1e-5, atol=1e-5)

    def test_another_batch_is_refused_where_it_would_be_wrong(self):
        class Sized(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.conv = torch.nn.Conv2d(3, 4, 1)

            def forward(self, x):
                return self.conv(x) * x.shape[0]

        module, x = Sized().eval(), torch.randn(1, 3, 8, 8)
        compiled = iosx.compile(module, x, device="tesla-v100")
        with torch.no_grad():
            torch.testing.assert_close(compiled(x), module(x), rtol=1e-5, atol=1e-5)
            with self.refused(what="was compiled for the shapes"):
                compiled(torch.cat([x, x]))
            more = torch.randn(5, 16, 12, 12)
            other = iosx.compile(self.module, self.x, device="tesla-v100")
            torch.testing.assert_close(other(more), self.module(more), rtol=1e-4, atol=1e-5)

    def test_an_output_may_have_no_axes_and_no_number(self):
        class Mean(torch.nn.Module):
            def forward(self, x):
                return x.mean(), (x - 100).sqrt()

        x = torch.randn(1, 3, 8, 8)
        mean, root = iosx.compile(Mean(), x, device="tesla-v100")(x)
        self.assertEqual((mean.shape, root.isnan().all()), (torch.Size([]), True))
        torch.testing.assert_close(mean, x.mean(), rtol=1e-5, atol=1e-5)

    def test_nothing_is_left_of_what_cannot_be_written(self):
        class Noise(torch.nn.Module):
            def forward(self, x):
                return x + torch.randn_like(x)

        with mock.patch.dict(os.environ, {"TMPDIR": self.path("")}), mock.patch(
            "tempfile.tempdir", None
        ):
            with self.assertRaises(iosx.Error):
                iosx.compile(Noise(), self.x, schedule="greedy", check=False)
            self.assertEqual(
                [name for name in os.listdir(self.path("")) if name.startswith("iosx-")], []
            )

    def test_a_module_is_exported_once_where_the_search_fails(self):
        def fails(graph, device=None, **options):
            raise iosx.Error("not today")

        exporter = iosx._torch._Source.export
        with mock.patch.object(
            iosx._torch._Source, "export", autospec=True, side_effect=exporter
        ) as exports:
            with self.refused(what="there is no device 'v100'"):
                iosx.compile(self.module, self.x, device="v100")
            self.assertEqual(exports.call_count, 0)
            with mock.patch("iosx._calls.optimize", fails), self.refused(what="not today"):
                iosx.compile(self.module, self.x, device="tesla-v100")
            self.assertEqual(exports.call_count, 1)

    def test_inputs_keep_their_order(self):
        class Backwards(torch.nn.Module):
            def forward(self, a, b, c):
                return c * 2 - b, a.relu()

        inputs = tuple(torch.randn(2, 4, 6, 6) for _ in range(3))
        compiled = iosx.compile(Backwards(), inputs, device="tesla-v100")
        torch.testing.assert_close(compiled(*inputs), Backwards()(*inputs))

    def test_a_compiled_module_is_copied(self):
        compiled = iosx.compile(self.module, self.x, device="tesla-v100")
        with torch.no_grad():
            torch.testing.assert_close(copy.deepcopy(compiled)(self.x), compiled(self.x))

    def test_what_changes_as_it_runs_is_refused(self):
        class Counts(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("count", torch.zeros(1))

            def forward(self, x):
                self.count += 1
                return x * self.count

        class InPlace(torch.nn.Module):
            def forward(self, x):
                return x.mul_(2).relu()

        counts = Counts()
        with self.refused(what="changes count"):
            iosx.compile(counts, self.x, device="tesla-v100")
        self.assertEqual(counts.count.item(), 0)
        before = self.x.clone()
        with self.refused(what="changes input 0"):
            iosx.compile(InPlace(), self.x, device="tesla-v100")
        torch.testing.assert_close(self.x, before)

    def test_a_write_is_refused_whatever_the_example(self):
        class Clamp(torch.nn.Module):
            def forward(self, x):
                return x.clamp_(min=0).sqrt()

        x = self.x.abs()  # which it does not change
        for check in (True, False):
            with self.subTest(check=check), self.refused(what="changes input 0"):
                iosx.compile(Clamp(), x, device="tesla-v100", check=check)
            torch._dynamo.reset()
            options = {"device": "tesla-v100", "check": check}
            compiled = torch.compile(Clamp(), backend=iosx.torch_backend, options=options)
            with torch.no_grad(), self.assertRaisesRegex(Exception, "changes input 0"):
                compiled(x)

    def test_changes_of_inference_tensors_are_seen(self):
        torch._dynamo.reset()
        with torch.inference_mode():
            module, x = block(), torch.randn(2, 16, 12, 12)
            backend = torch.compile(module, backend=iosx.torch_backend, dynamic=False)
            for tensor in (module.one.weight, module.two[1].running_mean):
                compiled = iosx.compile(module, x, device="tesla-v100")
                for run in (backend, compiled):
                    torch.testing.assert_close(run(x), module(x), rtol=1e-4, atol=1e-5)
                tensor.add_(0.5)
                torch.testing.assert_close(backend(x), module(x), rtol=1e-4, atol=1e-5)
                with self.refused(what="has changed since"):
                    compiled(x)

    def test_a_gradient_is_refused_where_it_is_asked_for(self):
        compiled = iosx.compile(self.module, self.x, device="tesla-v100")
        found = compiled(self.x)
        self.assertTrue(found.requires_grad)  # as that of the module
        torch.testing.assert_close(found.detach(), self.expected, rtol=1e-5, atol=1e-5)
        with self.refused(what="has no gradients"):
            found.sum().backward()
        with torch.no_grad():
            self.assertFalse(compiled(self.x).requires_grad)
        with self.refused(what="has no gradients"):
            compiled.requires_grad_()
        compiled = iosx.compile(block().requires_grad_(False), self.x, device="tesla-v100")
        self.assertFalse(compiled(self.x).requires_grad)
        x = self.x.clone().requires_grad_()
        with self.refused(what="has no gradients"):
            compiled(x).sum().backward()
        self.assertIsNone(x.grad)

    def test_a_gradient_of_torch_func_is_refused_and_vmap_computes(self):
        compiled = iosx.compile(self.module, self.x, device="tesla-v100")
        with self.refused(what="has no gradients"):
            torch.func.grad(lambda x: compiled(x).sum())(self.x)
        with self.refused(what="has no gradients"):
            torch.func.jvp(compiled, (self.x,), (self.x,))
        found = torch.vmap(compiled)(torch.stack([self.x, self.x]))
        torch.testing.assert_close(found[1].detach(), self.expected, rtol=1e-5, atol=1e-5)

    def test_autocast_is_refused(self):
        compiled = iosx.compile(self.module, self.x, device="tesla-v100")
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
            with self.refused(what="torch.autocast"):
                compiled(self.x)
            with self.refused(what="torch.autocast"):
                iosx.compile(self.module, self.x, device="tesla-v100")
            with torch.autocast("cpu", enabled=False):
                torch.testing.assert_close(compiled(self.x), self.expected, rtol=1e-5, atol=1e-5)
        with torch.no_grad(), self.refused(what="float32"):
            compiled(self.x.half())

    def test_old_weights_are_refused(self):
        compiled = iosx.compile(self.module, self.x, device="tesla-v100")
        state = copy.deepcopy(self.module.state_dict())
        other = {name: value * 2 for name, value in state.items()}
        with torch.no_grad():
            for change in (
                lambda: self.module.load_state_dict(other),
                lambda: self.module.load_state_dict(other, assign=True),
                lambda: self.module.one.weight.mul_(2),
                lambda: self.module.two[1].running_mean.add_(1),
                lambda: setattr(
                    self.module.three, "weight", torch.nn.Parameter(self.module.three.weight * 2)
                ),
            ):
                torch.testing.assert_close(compiled(self.x), self.expected, rtol=1e-5, atol=1e-5)
                change()
                with self.refused(what="has changed since"):
                    compiled(self.x)
                with self.refused(what="has changed since"):
                    copy.deepcopy(compiled)(self.x)
                self.module.load_state_dict(state)
            self.module.load_state_dict(
                copy.deepcopy(state), assign=True
            )  # the same values elsewhere
            torch.testing.assert_close(compiled(self.x), self.expected, rtol=1e-5, atol=1e-5)
            with self.refused(what="has other weights than the module"):
                compiled.load_state_dict(self.module.state_dict(), strict=False)
            compiled.load_state_dict(compiled.state_dict())
            parts = dict(self.module.named_children())
            for name, change in (
                ("three", lambda: setattr(self.module, "three", copy.deepcopy(parts["one"]))),
                ("one", lambda: setattr(self.module, "one", torch.nn.Sequential(parts["one"]))),
                ("two.0", lambda: setattr(self.module, "two", torch.nn.Sequential())),
                ("two.2", lambda: self.module.two.append(torch.nn.Tanh())),
            ):
                change()
                with self.subTest(part=name), self.refused(what="has changed since"):
                    compiled(self.x)
                for key, part in parts.items():
                    setattr(self.module, key, part)
            del self.module.two[2]
            torch.testing.assert_close(compiled(self.x), self.expected, rtol=1e-5, atol=1e-5)
            parts = part = None
            del self.module  # weights that are gone do not change
            torch.testing.assert_close(compiled(self.x), self.expected, rtol=1e-5, atol=1e-5)

    def test_a_compiled_module_is_saved(self):
        compiled = iosx.compile(self.module, self.x, device="tesla-v100")
        compiled.sequential = True
        file = io.BytesIO()
        torch.save(compiled, file)
        file.seek(0)
        again = torch.load(file, weights_only=False)
        self.assertEqual(
            (again.iosx_graph, again.iosx_schedule, again.sequential), (None, None, True)
        )
        for sequential in (True, False):
            again.sequential = sequential
            with torch.no_grad():
                torch.testing.assert_close(again(self.x), self.expected, rtol=1e-5, atol=1e-5)
                more = torch.randn(5, 16, 12, 12)
                torch.testing.assert_close(again(more), self.module(more), rtol=1e-4, atol=1e-5)
        with torch.no_grad(), self.refused(what="was compiled for the shapes"):
            again(torch.randn(2, 16, 12, 13))
        self.assertEqual(list(again.state_dict()), list(compiled.state_dict()))

    def test_caches_and_none_go_in_and_out(self):
        class Step(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.project = torch.nn.Linear(8, 8)

            def forward(self, x, mask=None, past=None, scale=1):
                keys = self.project(x)
                before = [layer["keys"] for layer in past.layers] if past is not None else []
                logits = torch.cat([*before, keys], 1).sum(1) * scale
                return {
                    "loss": None,
                    "logits": logits,
                    "past": Cache().update(keys),
                    "scale": scale,
                }

        module, x, past = Step().eval(), torch.randn(2, 3, 8), Cache().update(torch.randn(2, 4, 8))
        for arguments in ((x,), (x, None, past), (x, None, past, 2)):
            with self.subTest(arguments=len(arguments)), torch.no_grad():
                compiled = iosx.compile(module, arguments, device="tesla-v100")
                found, expected = compiled(*arguments), module(*arguments)
                self.assertEqual(list(found), ["loss", "logits", "past", "scale"])
                self.assertEqual(
                    (found["loss"], found["scale"], found["past"].seen),
                    (None, expected["scale"], 1),
                )
                torch.testing.assert_close(
                    found["logits"], expected["logits"], rtol=1e-5, atol=1e-5
                )
                for one, other in zip(found["past"].layers, expected["past"].layers):
                    torch.testing.assert_close(one["keys"], other["keys"], rtol=1e-5, atol=1e-5)
        self.assertEqual(past.layers[0]["keys"].shape, (2, 4, 8))
        with torch.no_grad(), self.refused(what="other tuples, lists, dicts or constants"):
            compiled(x, None, past, 3)
        graph = iosx.from_torch(module, (x, None, past))
        self.assertEqual(list(graph.inputs().values()), [(2, 3, 8), (2, 4, 8)])

    def test_the_batch_stays_open(self):
        class Reshapes(torch.nn.Module):
            def forward(self, x):
                return x.reshape(x.shape[0], 4, -1).mean(2)

        class ForTwo(torch.nn.Module):
            def forward(self, x):
                return x.relu() * (3 if x.shape[0] == 2 else 5)

        for batch in (1, 2):
            x = torch.randn(batch, 16, 3, 3)
            graph = iosx.from_torch(Reshapes(), x)
            self.assertTrue(graph.batched)
            self.assertEqual((graph.batch, graph.warnings), (batch, []))
            more = torch.randn(3, 16, 3, 3)
            _, outputs = iosx.run(graph, "sequential", more, "cpu", batch=3)
            (output,) = outputs.values()
            torch.testing.assert_close(
                torch.from_numpy(output), Reshapes()(more), rtol=1e-5, atol=1e-5
            )
        warnings = iosx.from_torch(ForTwo(), torch.randn(2, 16, 3, 3)).warnings
        self.assertIn("The batch of 2 is a constant in the exported model", "\n".join(warnings))

    def test_progress_is_heard_while_torch_exports(self):
        heard = []
        iosx.from_torch(self.module, self.x, progress=lambda *said: heard.append(said))
        self.assertEqual(heard[0], ("torch.export of Block, open batch", 0, 0))
        heard.clear()
        iosx.compile(
            self.module, self.x, device="tesla-v100", progress=lambda *said: heard.append(said[0])
        )
        for phase in ("example of Block", "PyTorch package of Block", "outputs of Block compared"):
            self.assertIn(phase, heard)
        with self.refused(TypeError, "progress"):
            iosx.from_torch(self.module, self.x, progress=3)
        iosx.compile(self.module, self.x, schedule="sequential", progress=False)

    def test_the_backend_is_right_with_gradients_and_under_autocast(self):
        for grown in (torch.enable_grad(), torch.autocast("cpu", torch.bfloat16)):
            torch._dynamo.reset()
            compiled = torch.compile(self.module, backend=iosx.torch_backend, dynamic=False)
            with self.assertLogs("iosx", "WARNING") as said, grown:
                found = compiled(self.x)
                torch.testing.assert_close(found, self.module(self.x))
            self.assertIn("runs without a schedule", said.output[0])
            self.assertTrue(found.requires_grad)
            found.float().sum().backward()
            self.assertIsNotNone(self.module.one.weight.grad)
            self.module.zero_grad()
            with torch.no_grad():
                torch.testing.assert_close(compiled(self.x), self.expected, rtol=1e-4, atol=1e-5)

    def test_the_backend_sees_new_weights(self):
        torch._dynamo.reset()
        compiled = torch.compile(self.module, backend=iosx.torch_backend, dynamic=False)
        with torch.no_grad():
            compiled(self.x)
            for assign in (False, True):
                other = {name: value + 0.25 for name, value in self.module.state_dict().items()}
                self.module.load_state_dict(other, assign=assign)
                torch.testing.assert_close(
                    compiled(self.x), self.module(self.x), rtol=1e-4, atol=1e-5
                )

    def test_a_branch_on_data_is_not_frozen(self):
        class Branch(torch.nn.Module):
            def forward(self, x):
                return x.relu() if x.sum() > 0 else x

        with self.refused(what="cannot export"):
            iosx.from_torch(Branch(), self.x)

    def test_every_part_keeps_its_mode(self):
        self.module.train()
        self.module.two[1].eval()
        iosx.compile(self.module, self.x, device="tesla-v100")
        self.assertEqual([part.training for part in (self.module, self.module.two, *self.module.two)],
                         [True, True, True, False])  # fmt: skip

    def test_wrong_arguments_are_told(self):
        for module in (None, torch.relu, torch.nn.Conv2d):
            with self.subTest(module=module), self.refused(TypeError, "torch.nn.Module"):
                iosx.from_torch(module, self.x)
        with self.refused(what="float32"):
            iosx.compile(self.module.double(), self.x.double())
        with self.refused(TypeError, "nonsense"):
            iosx.compile(self.module, self.x, schedule="sequential", nonsense=1)

    def test_what_cannot_be_exported_is_an_error(self):
        class Endless(torch.nn.Module):
            def forward(self, x):
                raise RuntimeError("not today")

        with self.refused(what="cannot export"):
            iosx.from_torch(Endless(), self.x)

    def test_arrays_of_torch_are_inputs(self):
        graph = iosx.from_torch(self.module, self.x)
        plan = iosx.load(graph, "sequential", "cpu", batch=2)
        (one,) = plan(self.x.clone().requires_grad_()).values()
        (other,) = plan([self.x.numpy()]).values()
        self.assertEqual(abs(one - other).max(), 0)


class WithoutTorch(Case):
    @unittest.skipIf(torch, "torch is installed")
    def test_it_says_what_to_install(self):
        with self.refused(what="torch is not installed"):
            iosx.from_torch(object(), ())


if __name__ == "__main__":
    unittest.main()
