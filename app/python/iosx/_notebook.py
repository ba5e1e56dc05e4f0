"""How values of the core show themselves in a notebook, and what they can do where pandas is there."""

from __future__ import annotations

import html

from . import _core, _picture


def _page(run) -> str:
    page = html.escape(run.html(), quote=True)
    return (
        '<iframe style="width: 100%; height: 620px; border: 1px solid #8884; border-radius: 6px" '
        f'srcdoc="{page}"></iframe>'
    )


def _to_dataframe(run):
    """Returns a pandas.DataFrame with a row a schedule: latency, spread, speed-up, stages, lanes, memory."""
    import pandas

    return pandas.DataFrame(run.columns())


def _result_table(result) -> str:
    latencies = result.stage_latencies
    rows = []
    for number, stage in enumerate(result.schedule.stages):
        groups = " ".join(
            "[" + " ".join("+".join(step) if isinstance(step, tuple) else step for step in group) + "]"
            for group in stage
        )
        time = f"{latencies[number].ms:.4f}" if number < len(latencies) else ""
        rows.append(f"<tr><td>{number + 1}</td><td>{time}</td><td>{html.escape(groups)}</td></tr>")
    title = html.escape(f"{result.title}: {result.latency.ms:.4g} ms, {result.latency.origin}")
    return (
        f"<table><caption>{title}</caption><thead><tr><th>stage</th><th>latency [ms]</th><th>groups</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _plan_picture(graph) -> str:
    schedule = graph.schedule or graph.greedy(max_streams=1000)
    return _picture.svg(graph, schedule)


def _time(plan, *, repeat=None, warmup=None, min_time_ms=None):
    """Times it, with made-up inputs: a Latency. See iosx.run() for the options."""
    return plan._time({"repeat": repeat, "warmup": warmup, "min_time_ms": min_time_ms})


def install() -> None:
    """Gives the classes of the core these methods."""
    _core.Run._repr_html_ = _page
    _core.Run.to_dataframe = _to_dataframe
    _core.ScheduleResult._repr_html_ = _result_table
    _core.Graph._repr_svg_ = _plan_picture
    _core.Schedule._repr_svg_ = lambda schedule: _picture.svg(schedule.graph, schedule)
    _core.LoadedPlan.time = _time
