"""Further methods of the classes of the core: display in a notebook, tables, and input arrays of any kind."""

from __future__ import annotations

from . import _core
from ._calls import _with_options, as_arrays
from ._errors import Error

# What only some calls need is imported there: `import iosx` should take no time.


def _page(self) -> str:
    import html

    page = html.escape(self.html(), quote=True)
    return (
        '<iframe style="width: 100%; height: 620px; border: 1px solid #8884; border-radius: 6px" '
        f'srcdoc="{page}"></iframe>'
    )


def _to_dataframe(self):
    """Returns a pandas.DataFrame with one row per schedule: latency, spread, speed-up, stages, lanes, memory."""
    import pandas

    return pandas.DataFrame(self.columns())


def _kernels_to_dataframe(self):
    """Returns a pandas.DataFrame with one row per kernel: name, kind, stream, begin, duration, launch, range, share."""
    import pandas

    return pandas.DataFrame(self.columns())


def _result_table(self) -> str:
    import html

    try:
        latencies = self.stage_latencies
        latency = f"{self.latency.ms:.4g} ms, {self.latency.origin}"
    except Error:
        latencies = []
        latency = "unknown latency"
    rows = []
    for number, stage in enumerate(self.schedule.stages):
        groups = " ".join(
            "[" + " ".join("+".join(step) if isinstance(step, tuple) else step for step in group) + "]"
            for group in stage
        )
        time = f"{latencies[number].ms:.4f}" if number < len(latencies) else ""
        rows.append(f"<tr><td>{number + 1}</td><td>{time}</td><td>{html.escape(groups)}</td></tr>")
    title = html.escape(f"{self.title}: {latency}")
    if self.schedule.barrier_free:
        title += ", on lanes without barriers; these stages chose its kernels, and the latencies belong to these stages"
    return (
        f"<table><caption>{title}</caption><thead><tr><th>stage</th><th>latency [ms]</th><th>groups</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _graph_picture(self) -> str:
    return _schedule_picture(self.schedule or self.greedy(max_streams=1000))


def _schedule_picture(self) -> str:
    from . import _picture

    box = "display: inline-block; max-width: 100%; max-height: 520px; overflow: auto; border: 1px solid #8884"
    title = f"{self.name}: lanes without barriers; these stages chose the kernels" if self.barrier_free else self.name
    return f'<div style="{box}">{_picture.svg(self.graph, self, title)}</div>'


def _call(self, inputs=None):
    """Runs the plan once. `inputs`: arrays in the form for iosx.run(); default: made-up numbers. Returns the outputs,
    {name: array}. The caller owns them."""
    return self._call(as_arrays(inputs))


def _time(self, **options):
    """Times the plan with made-up inputs, and returns a Latency.

    Args:
        {core}
    """
    return self._time(options)


def _itself(self, _memo=None):
    return self


def install() -> None:
    """Adds these methods to the classes of the core."""
    for immutable in (_core.Device, _core.Graph, _core.Latency, _core.Recording, _core.Run, _core.Schedule, _core.ScheduleResult):
        immutable.__copy__ = immutable.__deepcopy__ = _itself
    _core.Run._repr_html_ = _page
    _core.Run.to_dataframe = _to_dataframe
    _core.Recording.to_dataframe = _kernels_to_dataframe
    _core.ScheduleResult._repr_html_ = _result_table
    _core.Graph._repr_html_ = _graph_picture
    _core.Schedule._repr_html_ = _schedule_picture
    _core.LoadedPlan.__call__ = _call
    _core.LoadedPlan.time = _with_options(_time, "measure_stages")
