"use strict";
// The page of a report. Everything that it shows comes from the element #data; names in it are anybody's and become text
// only (textContent, attributes), never markup.

// ---- arithmetic, without a page: tests run it by itself ----------------------------------------------------------

/** Three significant digits with a unit; `ms` in milliseconds. */
function timeText(ms) {
  if (ms === 0) return "0 ms";
  const [scale, unit] = scaleOf(ms);
  return digits(ms * scale) + " " + unit;
}
/** The unit in which a time is told, and how many of it a millisecond is. */
function scaleOf(ms) {
  const size = Math.abs(ms);
  if (size === 0 || (size >= 0.1 && size < 1000)) return [1, "ms"];
  return size >= 1000 ? [1e-3, "s"] : size >= 1e-4 ? [1e3, "µs"] : [1e6, "ns"];
}
function digits(value) {
  const size = Math.abs(value);
  if (size >= 999.5) return String(Math.round(value));
  return value.toFixed(size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3);
}
/** The value with its spread in one unit, as exact as the spread and as the program's window: "210.75 ± 0.25 ms". */
function spreadText(ms, spread) {
  if (!(spread > 0)) return timeText(ms);
  const [scale, unit] = scaleOf(ms);
  const decimals = Math.min(4, Math.max(2, -Math.floor(Math.log10(spread * scale))));
  return `${(ms * scale).toFixed(decimals)} ± ${(spread * scale).toFixed(decimals)} ${unit}`;
}
/** Without a minus before nothing. */
function plain(ms, decimals) {
  const text = Math.abs(ms).toFixed(decimals);
  return ms < 0 && Number(text) !== 0 ? "−" + text : text;
}
/** A difference with its sign; nothing of it that is left is "0". */
function signed(ms, decimals) {
  const text = Math.abs(ms).toFixed(decimals);
  return Number(text) === 0 ? "0" : (ms < 0 ? "−" : "+") + text;
}
/** A number of a table as it is set here, with its mark. */
function typeset(text) {
  return text.replace(/-(?=\d)/g, "−").replace("~", "≈");
}
/** How a difference with its mark is coloured: neither inside the noise nor where nobody can tell. */
function verdictOf(text) {
  if (/[~?–]$/.test(text) || text === "0" || text === "") return "same";
  return text.startsWith("-") ? "faster" : "slower";
}

/** Round numbers from `low` to `high`, about `count` of them. */
function ticks(low, high, count) {
  if (!(high > low) || !(count > 0)) return [];
  const rough = (high - low) / count;
  const power = Math.pow(10, Math.floor(Math.log10(rough)));
  const step = [1, 2, 5, 10].map((s) => s * power).find((s) => s >= rough);
  const out = [];
  for (let i = Math.ceil(low / step); i * step <= high + step * 1e-9; i++) out.push(i * step);
  return out;
}

/** What all names begin with, up to a separator: nothing of a name's own part is in it. */
function commonPrefix(names) {
  if (names.length < 2) return "";
  let prefix = names[0];
  for (const name of names) {
    let n = 0;
    while (n < prefix.length && prefix[n] === name[n]) n++;
    prefix = prefix.slice(0, n);
  }
  const cut = Math.max(prefix.lastIndexOf("/"), prefix.lastIndexOf("."), prefix.lastIndexOf("_"), prefix.lastIndexOf(":"));
  return prefix.slice(0, cut + 1);
}

/** At most `most` characters, with the middle left out. */
function shortName(name, most) {
  const letters = Array.from(name.length > 4 * most ? name.slice(0, 2 * most) + name.slice(-2 * most) : name);
  if (letters.length <= most) return letters.join("");
  const tail = Math.ceil((most - 1) * 0.6);
  return letters.slice(0, most - 1 - tail).join("") + "…" + letters.slice(letters.length - tail).join("");
}

const BOX = { width: 124, height: 22, mark: 30, gap: 5, pad: 6, stageGap: 6, columnGap: 28, number: 24, part: 24 };

/**
 * Places of a schedule's stages from top to bottom, a stage's groups side by side, in columns that together have about
 * the aspect. `stages`: [{p: part, g: [[[unit, …], …], …]}]; the same stages give the same places.
 */
function layoutSchedule(stages, partNames, aspect) {
  const sizes = stages.map((stage) => {
    const heights = stage.g.map((group) => group.reduce((n, step) => n + step.length, 0));
    const rows = Math.max(1, ...heights);
    return {
      width: BOX.number + stage.g.length * (BOX.width + 2 * BOX.gap) + BOX.pad,
      height: rows * (BOX.height + BOX.gap) - BOX.gap + 2 * BOX.pad,
    };
  });
  const begins = stages.map((stage, i) => i === 0 || stages[i - 1].p !== stage.p);
  const heightOf = (i) => sizes[i].height + BOX.stageGap + (begins[i] ? BOX.part : 0);
  const total = stages.reduce((sum, _, i) => sum + heightOf(i), 0);

  const split = (columns) => {
    const limit = total / columns;
    const out = [[]];
    let height = 0;
    for (let i = 0; i < stages.length; i++) {
      const full = height + heightOf(i) > limit * 1.12;
      const good = begins[i] && height > limit * 0.8;
      if (out.at(-1).length > 0 && out.length < columns && (full || good)) {
        out.push([]);
        height = 0;
      }
      out.at(-1).push(i);
      height += heightOf(i) + (out.at(-1).length === 1 && !begins[i] ? BOX.part : 0);
    }
    const widths = out.map((column) => Math.max(0, ...column.map((i) => sizes[i].width)));
    const heights = out.map((column) => column.reduce((sum, i, at) => sum + heightOf(i) + (at === 0 && !begins[i] ? BOX.part : 0), 0));
    return { out, widths, width: widths.reduce((a, b) => a + b + BOX.columnGap, -BOX.columnGap), height: Math.max(1, ...heights) };
  };
  let best = null;
  for (let columns = 1; columns <= Math.min(40, Math.max(1, stages.length)); columns++) {
    const tried = split(columns);
    const off = Math.abs(Math.log(tried.width / tried.height / aspect));
    if (best === null || off < best.off) best = { ...tried, off };
  }

  const placed = { width: Math.max(1, best.width), height: best.height, stages: [], units: [], parts: [] };
  let x = 0;
  best.out.forEach((column, c) => {
    let y = 0;
    column.forEach((i, at) => {
      if (begins[i] || at === 0) {
        const more = begins[i] ? "" : " (continued)";
        placed.parts.push({ x, y, width: best.widths[c], part: stages[i].p, name: (partNames[stages[i].p] ?? "") + more });
        y += BOX.part;
      }
      placed.stages.push({ x, y, width: best.widths[c], height: sizes[i].height, stage: i });
      stages[i].g.forEach((group, g) => {
        const left = x + BOX.number + g * (BOX.width + 2 * BOX.gap);
        let top = y + BOX.pad;
        for (const step of group) {
          for (const unit of step) {
            placed.units.push({ x: left, y: top, unit, stage: i, group: g, merged: step.length > 1, first: unit === step[0], count: step.length });
            top += BOX.height + BOX.gap;
          }
        }
      });
      y += sizes[i].height + BOX.stageGap;
    });
    x += best.widths[c] + BOX.columnGap;
  });
  return placed;
}

/** The stage of each unit in a schedule. */
function stageOfUnits(stages) {
  const out = new Map();
  stages.forEach((stage, i) => stage.g.forEach((group) => group.forEach((step) => step.forEach((unit) => out.set(unit, i)))));
  return out;
}

/** Rows in the order of `key(row)`, equal ones as they were; numbers as numbers, missing ones last. */
function sortedRows(rows, key, descending) {
  const order = (a, b) => {
    const missing = (v) => v === null || v === undefined || v === "";
    if (missing(a) || missing(b)) return missing(a) - missing(b);
    const by = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
    return descending ? -by : by;
  };
  return rows.map((row, i) => [row, i]).sort((a, b) => order(key(a[0]), key(b[0])) || a[1] - b[1]).map((pair) => pair[0]);
}

/**
 * What is drawn of one lane's spans between two times: those too narrow to see beside one another become one, which has
 * no single owner (index −1). `spans`: [{b, e, i}] by b; `scale`: pixels a µs.
 */
function visibleSpans(spans, from, to, scale) {
  const out = [];
  for (const span of spans) {
    if (span.e < from || span.b > to) continue;
    const last = out.at(-1);
    const narrow = (span.e - span.b) * scale < 0.7;
    if (last !== undefined && narrow && (last.e - last.b) * scale < 3 && last.small && (span.b - last.e) * scale < 0.7) {
      last.e = Math.max(last.e, span.e);
      last.i = -1;
      continue;
    }
    out.push({ b: span.b, e: span.e, i: span.i, small: narrow });
  }
  return out;
}

/** The view [from, to] zoomed by a factor around a time, within [0, all]. */
function zoomed(view, factor, around, all) {
  const width = Math.min(all, Math.max(all * 1e-5, (view[1] - view[0]) * factor));
  const share = (around - view[0]) / (view[1] - view[0] || 1);
  const from = Math.min(Math.max(0, around - share * width), all - width);
  return [from, from + width];
}

/** Whether a box's text would be too small to read. */
function isFar(viewWidth, pixelWidth) {
  return pixelWidth / viewWidth < 0.5;
}

if (typeof module !== "undefined") {
  module.exports = { timeText, spreadText, plain, signed, typeset, verdictOf, ticks, commonPrefix, shortName, layoutSchedule, stageOfUnits, sortedRows, visibleSpans, zoomed, isFar, BOX };
}

// ---- the page ----------------------------------------------------------------------------------------------------

if (typeof document !== "undefined") {
  (() => {
    const data = JSON.parse(document.getElementById("data").textContent);
    const page = document.getElementById("page");
    const bar = document.getElementById("bar");
    const tip = document.getElementById("tip");
    const said = document.getElementById("said");
    const SVG = "http://www.w3.org/2000/svg";

    const fill = (element, attributes, children) => {
      for (const [key, value] of Object.entries(attributes ?? {})) {
        if (value === null || value === undefined || value === false) continue;
        if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
        else element.setAttribute(key, value === true ? "" : String(value));
      }
      for (const child of children.flat(Infinity)) {
        if (child === null || child === undefined) continue;
        element.append(child instanceof Node ? child : String(child));
      }
      return element;
    };
    const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
    const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
    const mergedFrame = (x, y, width, height) => [0, 2].map((inset) =>
      s("rect", { class: "merged", x: x + inset, y: y + inset, width: width - 2 * inset, height: height - 2 * inset, rx: 4 - inset }));
    const mergedLines = (x, y, width, height) =>
      s("path", { class: "lines", d: Array.from({ length: Math.floor((height + 2) / 4) }, (_, i) => `M${x} ${y + 2 + 4 * i}h${width}`).join("") });

    const capture = (element, event) => {
      if (event.isTrusted) element.setPointerCapture(event.pointerId);
    };

    const unitName = (unit) => data.units[unit][0];
    const unitsText = (units) => (units.length > 6 ? units.slice(0, 5).map(unitName).join(", ") + ` and ${units.length - 5} more` : units.map(unitName).join(", "));

    const ORIGINS = {
      simulated: ["M6 1 L11 6 L6 11 L1 6 Z", "simulated: computed by a model of the device"],
      measured: ["M6 1.5 A4.5 4.5 0 1 1 5.99 1.5 Z", "measured: timed on the device"],
      recorded: ["M1.5 1.5 H10.5 V10.5 H1.5 Z M4 6 H8", "recorded: taken from a file"],
    };
    const origin = (word, text) =>
      h("span", { class: "origin " + word, title: ORIGINS[word]?.[1] },
        s("svg", { viewBox: "0 0 12 12", "aria-hidden": "true" }, s("path", { d: ORIGINS[word]?.[0] ?? ORIGINS.recorded[0] })), text ?? word);

    // -- what is selected, in every view at once
    const state = { units: new Set(), text: "", baseline: data.matrix?.baseline ?? 0, shown: null };
    const watchers = [];
    const chosen = h("span", {});
    const clear = h("button", { type: "button", hidden: true, onclick: () => select([], "") }, "Clear selection");
    function select(units, text, from) {
      const same = units.length === state.units.size && units.every((unit) => state.units.has(unit)) && units.length > 0 && text === state.text;
      state.units = new Set(same ? [] : units);
      state.text = same ? "" : text;
      chosen.textContent = state.text;
      chosen.title = state.text;
      clear.hidden = state.units.size === 0;
      said.textContent = state.units.size === 0 ? "Nothing selected" : "Selected: " + state.text;
      for (const watch of watchers) watch(from);
    }
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && state.units.size > 0) select([], "");
    });

    // -- a box beside the pointer
    function showTip(text, x, y) {
      tip.textContent = text;
      tip.hidden = text === "";
      if (tip.hidden) return;
      const width = tip.offsetWidth;
      const height = tip.offsetHeight;
      tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - width - 8)) + "px";
      tip.style.top = Math.max(4, y + 18 + height > innerHeight ? y - height - 10 : y + 18) + "px";
    }
    const hideTip = () => showTip("", 0, 0);
    addEventListener("scroll", hideTip, { passive: true });

    function section(id, title, ...children) {
      const head = h("div", { class: "head" }, h("h2", {}, title));
      const out = h("section", { id, "aria-label": title }, head, ...children);
      return { out, head };
    }
    function tools(head, ...children) {
      head.append(h("div", { class: "tools" }, ...children));
    }

    // -- result
    // The fastest schedule, for a sample, has the accent's colour, the others are grey; each has its name beside it. None
    // is the fastest where all are over their runs' memory limits, or no latency is known.
    const perSample = (x) => x.ms / data.runs[x.run].batch;
    const faster = (b, a) => !b.over && b.ms !== null && (a === null || perSample(b) < perSample(a));
    const fastest = data.schedules.reduce((a, b) => (faster(b, a) ? b : a), null);
    const roleVar = (schedule) => (schedule === fastest ? "var(--accent)" : `var(--r${schedule.role})`);
    function bars() {
      // Where batches differ all are told of one sample, as in the matrix.
      const samples = data.matrix !== null && data.matrix.sample;
      const batchOf = (run) => (samples ? data.runs[run].batch : 1);
      const besideBatch = samples ? batchOf(data.schedules[data.matrix.baseline].run) : 1;
      const rows = [
        ...data.schedules.filter((x) => x.ms !== null).map((x) => ({ name: x.over ? x.label + " (over the memory limit)" : x.label, batch: batchOf(x.run), ms: x.ms / batchOf(x.run), spread: x.spread / batchOf(x.run), n: x.n, color: roleVar(x), origin: data.runs[x.run].origin, by: "", dash: false })),
        ...data.beside.filter((x) => x.ms > 0).map((x) => ({ name: x.label, batch: besideBatch, ms: x.ms / besideBatch, spread: x.spread / besideBatch, n: x.n, color: "var(--beside)", origin: "recorded", by: x.by, dash: true })),
      ];
      const most = Math.max(...rows.map((row) => row.ms + row.spread)) || 1;
      const grid = h("div", { class: "bars latencies", role: "table", "aria-label": "Latencies" });
      grid.append(...["schedule", "", samples ? "latency per sample" : "latency", ""].map((text, i) => h("span", { class: i === 2 ? "num title" : "title" }, text)));
      for (const row of rows) {
        const end = (row.ms / most) * 100;
        const bar = s("svg", { role: "img", "aria-label": `${row.name}: ${spreadText(row.ms, row.spread)}` });
        bar.append(s("rect", { x: 0, y: 4, height: 16, width: end + "%", rx: 2, fill: row.color, stroke: row.color === "var(--accent)" ? "none" : "var(--muted)", "stroke-dasharray": row.dash ? "3 2" : "none" }));
        if (row.spread > 0) {
          const low = Math.max(0, ((row.ms - row.spread) / most) * 100) + "%";
          const high = ((row.ms + row.spread) / most) * 100 + "%";
          const mark = { stroke: "var(--text)", "stroke-width": 1.5 };
          bar.append(s("line", { x1: low, x2: high, y1: 12, y2: 12, ...mark }), s("line", { x1: low, x2: low, y1: 8, y2: 16, ...mark }), s("line", { x1: high, x2: high, y1: 8, y2: 16, ...mark }));
        }
        grid.append(
          h("span", { class: "name" }, row.name), bar,
          h("span", { class: "num", title: `${row.n} run${row.n === 1 ? "" : "s"}` }, spreadText(row.ms, row.spread),
            row.batch > 1 ? h("span", { class: "by" }, ` ${timeText(row.ms * row.batch)} for the batch of ${row.batch}`) : ""),
          h("span", { class: "by" }, row.by === "" ? origin(row.origin) : origin("recorded", row.by)),
        );
      }
      const { out } = section("result", "Latencies", grid,
        h("p", { class: "note" }, "Whiskers: half the interval that holds 95 % of the samples."),
        h("div", { class: "scroll wide" }, dataTable(data.table, "Schedules").out),
        h("p", { class: "note" }, "Latencies are of a run; speed-ups are against the sequential schedule of the same run, ≈ is within the noise. Planned peak: most that tensors take at once as the plan lays them out, inputs and outputs too, weights not; it follows from the plan and was not measured."));
      return out;
    }

    // -- how single runs are distributed, all on one axis
    function distribution() {
      const d = data.distribution;
      if (d === null) return null;
      const end = d.begin + d.width * d.bins;
      const place = (ms) => ((ms - d.begin) / (end - d.begin)) * 100 + "%";
      const told = (ms) => (ms === null ? "few runs" : timeText(ms));
      const grid = h("div", { class: "bars spread", role: "table", "aria-label": "Distribution of the runs" });
      grid.append(...["schedule", "", "p50", "p95", "p99", "runs"].map((text, i) => h("span", { class: i > 1 ? "num title" : "title" }, text)));
      for (const row of d.rows) {
        const x = row.of !== null ? data.schedules[row.of] : data.beside[row.beside];
        const color = row.of !== null ? roleVar(x) : "var(--beside)";
        const svg = s("svg", { role: "img", "aria-label": `${x.label}: p50 ${told(row.p50)}, p95 ${told(row.p95)}, p99 ${told(row.p99)}, ${row.n} runs` });
        let most = 1;
        for (let i = 1; i < row.counts.length; i += 2) most = Math.max(most, row.counts[i]);
        for (let i = 0; i < row.counts.length; i += 2) {
          const height = Math.max(1, (row.counts[i + 1] / most) * 38);
          svg.append(s("rect", { x: (row.counts[i] / d.bins) * 100 + "%", width: 100 / d.bins + "%", y: 44 - height, height, fill: color, stroke: "var(--muted)", "stroke-width": 0.5 }));
        }
        svg.append(s("line", { x1: "0%", x2: "100%", y1: 44, y2: 44, stroke: "var(--line)" }));
        [[row.p50, "none"], [row.p95, "5 3"], [row.p99, "1.5 2.5"]].forEach(([ms, dashes]) => {
          if (ms !== null) svg.append(s("line", { x1: place(ms), x2: place(ms), y1: 2, y2: 44, stroke: "var(--text)", "stroke-width": 1.5, "stroke-dasharray": dashes }));
        });
        grid.append(h("span", { class: "name" }, x.label), svg, h("span", { class: "num" }, told(row.p50)), h("span", { class: "num" }, told(row.p95)), h("span", { class: "num" }, told(row.p99)),
          h("span", { class: "num" }, String(row.n), row.beyond > 0 ? h("span", { class: "by" }, ` ${row.beyond} longer, up to ${timeText(row.most)}`) : ""));
      }
      const axis = s("svg", { class: "ticks", "aria-hidden": "true" });
      const marks = ticks(d.begin, end, 6);
      const decimals = marks.length > 1 ? Math.max(0, Math.min(6, -Math.floor(Math.log10(marks[1] - marks[0]) + 1e-9))) : 3;
      for (const ms of marks) axis.append(s("text", { class: "axis", x: place(ms), y: 12, "text-anchor": "middle", "font-size": 11 }, ms.toFixed(decimals)));
      grid.append(h("span", {}), axis, h("span", {}), h("span", {}), h("span", {}), h("span", {}));
      const shown = new Set(d.rows.filter((row) => row.of !== null).map((row) => row.of));
      const without = data.schedules.filter((x, at) => !shown.has(at)).map((x) => x.label);
      const sample = data.matrix !== null && data.matrix.sample ? " per sample" : "";
      return section("distribution", "Distribution of the runs", grid,
        h("p", { class: "note" }, `Times of single runs${sample} in milliseconds, all on one axis; each histogram has its own height. Solid line: p50, dashed: p95, dotted: p99. A percentile is told where a run is expected beyond it: p95 of 20 runs and more, p99 of 100.` +
          (without.length > 0 ? ` Without single runs, because they are simulated or several were timed as one: ${without.join(", ")}.` : ""))).out;
    }

    // -- where the time goes
    function matrix() {
      const m = data.matrix;
      if (m === null || m.rows.length === 0 || data.schedules.length < 2) return null;
      const foreign = data.beside.filter((x) => x.parts !== null && x.parts.length === m.rows.length);
      const decimals = (m.whole[m.baseline] ?? [1])[0] < 1 ? 4 : 3;
      // Where batches differ the program tells everything of one sample; what others recorded is of the baseline's batch.
      const unit = m.sample ? "ms per sample" : "ms";
      const recorded = (ms) => (m.sample ? ms / data.runs[data.schedules[m.baseline].run].batch : ms);
      const cell = (c, at) => {
        if (c === null) return h("td", {}, "–");
        if (at === m.baseline) return h("td", { class: "base" }, c[0].toFixed(decimals));
        const noise = c[2] === null ? "unknown: too few samples" : c[2] > 0 ? "± " + timeText(c[2]) : "none";
        const mark = c[3] === "same" && c[2] > 0 ? " ≈" : c[3] === "unknown" ? " ?" : "";
        return h("td", { class: c[3], title: `${timeText(c[0])}; noise ${noise}` }, signed(c[1], decimals) + mark);
      };
      const body = m.rows.map((row, r) => {
        const tr = h("tr", { class: "pick", tabindex: 0, onclick: () => select(row.units, `part ${row.name}`) },
          h("td", { class: "wrap" }, row.name), row.cells.map((c, at) => cell(c, at)), foreign.map((x) => h("td", { title: "sum of its kernels in this part" }, x.parts[r] > 0 ? recorded(x.parts[r]).toFixed(decimals) : "–")));
        enter(tr);
        return tr;
      });
      const mean = (list) => list.map((ms, at) => h("td", { class: "same" }, m.known[at] ? plain(ms, decimals) : "–"));
      const table = h("table", {},
        h("thead", {}, h("tr", {}, h("th", {}, "part"), data.schedules.map((x, at) => h("th", {}, x.label, h("br"), at === m.baseline ? unit : "Δ " + unit)),
          foreign.map((x) => h("th", {}, x.label, h("br"), "kernels, " + unit)))),
        h("tbody", {}, body,
          h("tr", {}, h("td", {}, "between stages, " + unit), mean(m.between), foreign.map(() => h("td", {}))),
          h("tr", {}, h("td", {}, "rest of the run, " + unit), mean(m.rest), foreign.map(() => h("td", {})))),
        h("tfoot", {}, h("tr", {}, h("td", {}, "whole run"), m.whole.map((c, at) => cell(c, at)), foreign.map((x) => h("td", {}, x.ms > 0 ? recorded(x.ms).toFixed(decimals) : "–")))));
      const on = () => body.forEach((tr, r) => tr.classList.toggle("on", state.units.size > 0 && m.rows[r].units.length === state.units.size && m.rows[r].units.every((u) => state.units.has(u))));
      watchers.push(on);
      return section("parts", "Where the difference lies",
        h("div", { class: "scroll wide" }, table),
        h("p", { class: "note" }, "Against " + data.schedules[m.baseline].label + ": + takes longer, − is faster. ≈ is inside the noise of the stages' samples, ? has too few samples to tell; neither is coloured." +
          (foreign.length > 0 ? " Kernels of what was recorded elsewhere are added up as far as they were matched; running side by side they take less." : ""))).out;
    }
    // -- stages of one schedule against those of the baseline
    function comparison() {
      const others = data.comparisons.flatMap((x, i) => (x === null ? [] : [i]));
      if (others.length === 0) return null;
      const made = section("comparison", "Stage against stage");
      const box = h("div", { class: "scroll" });
      const note = h("p", { class: "note" }, "");
      const choose = h("select", { "aria-label": "Schedule whose stages are compared with the baseline's" }, others.map((i) => h("option", { value: i }, data.schedules[i].label)));
      choose.value = others.includes(best) ? best : others[0];
      let mark = () => {};
      const draw = () => {
        const { table, units } = data.comparisons[Number(choose.value)];
        const shown = dataTable(table, "Stages of A and B", (row) => units[row], (row) => `stages ${table.rows[row][0][0]} of A`);
        mark = shown.mark;
        box.replaceChildren(shown.out);
        note.textContent = `A: ${data.schedules[data.matrix.baseline].label}, B: ${data.schedules[Number(choose.value)].label}. ≈ is inside the noise of the stages' samples, ? has too few samples to tell.`;
      };
      choose.addEventListener("change", draw);
      watchers.push(() => mark());
      tools(made.head, choose);
      made.out.append(note, box);
      draw();
      return made.out;
    }
    // -- of runs of several networks each network's own latency
    function networks() {
      const tables = data.runs.flatMap((run) => run.own === null || run.own.rows.length === 0 ? [] :
        [data.runs.length > 1 ? h("h3", {}, run.label) : null, h("div", { class: "scroll wide" }, dataTable(run.own, "Own latencies").out)]);
      if (tables.length === 0) return null;
      return section("networks", "Each network", ...tables,
        h("p", { class: "note" }, "A network's own latency is the time from the start of the run to its last kernel, in milliseconds. Alone is what it takes when nothing else runs.")).out;
    }
    function enter(element) {
      element.addEventListener("keydown", (event) => {
        const step = event.key === "ArrowDown" ? "nextElementSibling" : event.key === "ArrowUp" ? "previousElementSibling" : null;
        if (event.key === "Enter" || event.key === " ") element.click();
        else if (step !== null && element[step]?.tabIndex === 0) element[step].focus();
        else return;
        event.preventDefault();
      });
    }

    // -- the schedule that graph and table show
    const stageText = (schedule, i) => {
      const stage = schedule.stages[i];
      const units = stage.g.flat(2);
      return `Stage ${i + 1} of ${schedule.label}\n${stage.ms === null ? "" : spreadText(stage.ms, stage.sd) + ", "}${stage.s}, ${stage.g.length} group${stage.g.length === 1 ? "" : "s"}, ${units.length} unit${units.length === 1 ? "" : "s"}`;
    };
    const ends = () => {
      const next = new Map();
      const before = new Map();
      for (let i = 0; i < data.edges.length; i += 2) {
        const [from, to] = [data.edges[i], data.edges[i + 1]];
        (next.get(from) ?? next.set(from, []).get(from)).push(to);
        (before.get(to) ?? before.set(to, []).get(to)).push(from);
      }
      return { next, before };
    };
    const { next, before } = ends();

    const best = Math.max(0, data.schedules.indexOf(fastest));
    state.shown = best;
    const shownWatchers = [];
    function choice() {
      const box = h("select", { "aria-label": "Schedule that graph and stages show" }, data.schedules.map((x, i) => h("option", { value: i }, x.label)));
      box.value = state.shown;
      box.addEventListener("change", () => {
        state.shown = Number(box.value);
        shownWatchers.forEach((watch) => watch());
      });
      shownWatchers.push(() => (box.value = state.shown));
      return box;
    }

    function graph() {
      const svg = s("svg", { tabindex: 0, role: "application", "aria-label": "Graph in its stages. Arrow keys go from unit to unit, Enter selects, + and − zoom, 0 shows everything." });
      const map = h("div", { class: "map" }, svg);
      let placed = null;
      let view = null;
      let boxes = new Map();
      let bands = [];
      let edges = null;
      let cursor = -1;

      const pixels = () => svg.clientWidth || 900;
      const setView = (v) => {
        view = v;
        svg.setAttribute("viewBox", `${v.x} ${v.y} ${v.w} ${v.h}`);
        svg.classList.toggle("far", isFar(v.w, pixels()));
      };
      const fit = () => {
        const ratio = pixels() / (svg.clientHeight || 640);
        const w = Math.max(placed.width + 24, (placed.height + 24) * ratio);
        setView({ x: -12 - (w - placed.width - 24) / 2, y: -12, w, h: w / ratio });
      };
      const zoom = (factor, x, y) => {
        const w = Math.min(Math.max(placed.width * 3, placed.height * 3), Math.max(120, view.w * factor));
        const scale = w / view.w;
        setView({ x: x - (x - view.x) * scale, y: y - (y - view.y) * scale, w, h: view.h * scale });
      };
      const at = (event) => {
        const box = svg.getBoundingClientRect();
        return [view.x + ((event.clientX - box.left) / box.width) * view.w, view.y + ((event.clientY - box.top) / box.height) * view.h];
      };
      const showEdges = (units) => {
        edges.replaceChildren();
        const line = (from, to, kind) => {
          const a = boxes.get(from)?.place;
          const b = boxes.get(to)?.place;
          if (a === undefined || b === undefined || edges.childElementCount > 400) return;
          const x1 = a.x + BOX.width / 2, y1 = a.y + BOX.height, x2 = b.x + BOX.width / 2, y2 = b.y;
          const bend = Math.max(14, Math.abs(y2 - y1) * 0.35);
          edges.append(s("path", { class: "edge " + kind, d: `M${x1} ${y1} C${x1} ${y1 + bend} ${x2} ${y2 - bend} ${x2} ${y2}` }));
        };
        for (const unit of units) {
          for (const to of next.get(unit) ?? []) line(unit, to, "out");
          for (const from of before.get(unit) ?? []) line(from, unit, "in");
        }
      };
      const text = (place) => {
        const [name, kind, , part, flops] = data.units[place.unit];
        const schedule = data.schedules[state.shown];
        return `${name}\n${kind}${flops > 0 ? ", " + digits(flops) + " MFLOP" : ""}${data.parts[part] ? "\npart " + data.parts[part] : ""}\n${stageText(schedule, place.stage)}`;
      };

      function draw() {
        const schedule = data.schedules[state.shown];
        placed = layoutSchedule(schedule.stages, data.parts, pixels() / (svg.clientHeight || 640));
        boxes = new Map();
        bands = [];
        cursor = -1;
        const prefixes = new Map();
        for (const place of placed.units) {
          const part = data.units[place.unit][3];
          (prefixes.get(part) ?? prefixes.set(part, []).get(part)).push(unitName(place.unit));
        }
        for (const [part, names] of prefixes) prefixes.set(part, commonPrefix(names));
        const content = s("g", {});
        for (const part of placed.parts) content.append(s("text", { class: "part", x: part.x, y: part.y + 15 }, shortName(part.name, Math.max(12, Math.floor(part.width / 7)))));
        for (const stage of placed.stages) {
          const band = s("rect", { class: "stage" + (stage.stage % 2 ? " odd" : ""), x: stage.x, y: stage.y, width: stage.width, height: stage.height, rx: 4, "data-stage": stage.stage });
          bands.push([band, stage.stage]);
          content.append(band, s("text", { class: "no", x: stage.x + 5, y: stage.y + 15 }, stage.stage + 1));
        }
        for (const place of placed.units) {
          if (place.merged ? place.first : data.units[place.unit][6] === 1) {
            content.append(...mergedFrame(place.x - 4, place.y - 4, BOX.width + 8, place.count * (BOX.height + BOX.gap) - BOX.gap + 8));
          }
          const [name, , kind, part] = data.units[place.unit];
          const label = shortName(name.slice(prefixes.get(part).length) || name, 16);
          const box = s("g", { class: "unit", "data-unit": place.unit, transform: `translate(${place.x} ${place.y})` },
            s("rect", { class: "body", width: BOX.width, height: BOX.height, rx: 3 }),
            s("rect", { class: "k" + kind, x: 1.5, y: 1.5, width: BOX.mark, height: BOX.height - 3, rx: 2 }),
            s("text", { class: "mark", x: 1.5 + BOX.mark / 2, y: 14 }, shortName(data.units[place.unit][5], 6)),
            s("text", { x: BOX.mark + 6, y: 15 }, label));
          boxes.set(place.unit, { box, place });
          content.append(box);
        }
        edges = s("g", {});
        content.append(edges);
        svg.replaceChildren(content);
        fit();
        mark();
      }
      function mark() {
        for (const [unit, { box }] of boxes) box.classList.toggle("on", state.units.has(unit));
        const schedule = data.schedules[state.shown];
        for (const [band, i] of bands) band.classList.toggle("on", schedule.stages[i].g.some((g) => g.some((step) => step.some((u) => state.units.has(u)))));
        if (edges !== null) showEdges(state.units.size <= 12 ? [...state.units] : []);
      }
      function reveal() {
        const first = [...state.units].map((unit) => boxes.get(unit)?.place).find((place) => place !== undefined);
        if (first === undefined || view === null) return;
        const inside = first.x > view.x && first.y > view.y && first.x + BOX.width < view.x + view.w && first.y + BOX.height < view.y + view.h;
        if (!inside) setView({ ...view, x: first.x - view.w / 2, y: first.y - view.h / 2 });
      }

      const unitOf = (event) => event.target.closest?.("[data-unit]");
      let drag = null;
      svg.addEventListener("pointermove", (event) => {
        if (drag !== null) {
          const dx = ((event.clientX - drag.x) / pixels()) * view.w;
          const dy = ((event.clientY - drag.y) / pixels()) * view.w;
          if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 4) drag.moved = true;
          if (drag.moved) setView({ ...view, x: drag.view.x - dx, y: drag.view.y - dy });
          return;
        }
        const box = unitOf(event);
        const stage = event.target.closest?.("[data-stage]");
        if (box !== null && box !== undefined) {
          const place = boxes.get(Number(box.dataset.unit)).place;
          showTip(text(place), event.clientX, event.clientY);
          showEdges([place.unit]);
        } else if (stage !== null && stage !== undefined) {
          showTip(stageText(data.schedules[state.shown], Number(stage.dataset.stage)), event.clientX, event.clientY);
        } else {
          hideTip();
          mark();
        }
      });
      svg.addEventListener("pointerleave", () => { hideTip(); mark(); });
      svg.addEventListener("pointerdown", (event) => {
        drag = { x: event.clientX, y: event.clientY, view, moved: false, target: event.target };
        capture(svg, event);
        hideTip();
      });
      svg.addEventListener("pointerup", () => {
        const click = drag !== null && !drag.moved ? drag.target : null;
        drag = null;
        if (click === null) return;
        const box = click.closest?.("[data-unit]");
        const stage = click.closest?.("[data-stage]");
        if (box) select([Number(box.dataset.unit)], unitName(Number(box.dataset.unit)), "graph");
        else if (stage) selectStage(state.shown, Number(stage.dataset.stage), "graph");
        else select([], "");
      });
      svg.addEventListener("pointercancel", () => (drag = null));
      svg.addEventListener("wheel", (event) => {
        if (!event.ctrlKey && !event.metaKey && document.activeElement !== svg) return;  // the page scrolls
        event.preventDefault();
        zoom(Math.pow(1.0016, event.deltaY), ...at(event));
      }, { passive: false });
      svg.addEventListener("dblclick", fit);
      svg.addEventListener("keydown", (event) => {
        const middle = [view.x + view.w / 2, view.y + view.h / 2];
        if (event.key === "+" || event.key === "=") zoom(0.8, ...middle);
        else if (event.key === "-") zoom(1.25, ...middle);
        else if (event.key === "0") fit();
        else if (event.key.startsWith("Arrow")) {
          const step = event.key === "ArrowDown" || event.key === "ArrowRight" ? 1 : -1;
          cursor = Math.min(placed.units.length - 1, Math.max(0, cursor + step));
          for (const { box } of boxes.values()) box.classList.remove("cursor");
          const place = placed.units[cursor];
          boxes.get(place.unit).box.classList.add("cursor");
          said.textContent = text(place);
          const inside = place.x > view.x && place.y > view.y && place.x + BOX.width < view.x + view.w && place.y + BOX.height < view.y + view.h;
          if (!inside) setView({ ...view, x: place.x - view.w / 2, y: place.y - view.h / 2 });
        } else if (event.key === "Enter" && cursor >= 0) {
          const unit = placed.units[cursor].unit;
          select([unit], unitName(unit), "graph");
        } else return;
        event.preventDefault();
      });
      watchers.push((from) => { mark(); if (from !== "graph") reveal(); });
      shownWatchers.push(draw);

      const used = [...new Set(data.units.map((unit) => unit[2]))].sort((a, b) => a - b);
      const legend = h("div", { class: "legend" }, used.map((kind) =>
        h("span", {}, s("svg", { viewBox: "0 0 30 14", "aria-hidden": "true" }, s("rect", { class: "k" + kind, width: 30, height: 14, rx: 2 }), s("text", { x: 15, y: 10 }, data.classes[kind][0])), data.classes[kind][1])),
        h("span", {}, s("svg", { viewBox: "0 0 30 14", "aria-hidden": "true" }, mergedFrame(1, 1, 28, 12)), "merged layers"));
      const made = section("graph", "Graph", map, legend);
      const press = (label, title, act) => h("button", { type: "button", title, "aria-label": title, onclick: act }, label);
      const middle = () => [view.x + view.w / 2, view.y + view.h / 2];
      tools(made.head, choice(), press("+", "Zoom in", () => zoom(0.7, ...middle())), press("−", "Zoom out", () => zoom(1.4, ...middle())), press("Fit", "Show the whole graph", fit));
      made.out.append(h("p", { class: "note" }, "Stages from top to bottom, groups of a stage side by side; hover shows what a unit reads (dashed) and feeds. Ctrl + wheel zooms, drag moves."));
      return { out: made.out, draw };
    }

    function selectStage(at, i, from) {
      select(data.schedules[at].stages[i].g.flat(2), `stage ${i + 1} of ${data.schedules[at].label}`, from);
    }

    // -- a table with titles that sort
    function sortable(columns, rows, build, caption) {
      let by = null;
      let descending = false;
      const body = h("tbody", {});
      const heads = columns.map((column, c) => {
        const press = h("button", { type: "button", title: column.help || "Sort by " + column.title, onclick: () => {
          descending = by === c ? !descending : column.number === true;
          by = c;
          fillBody();
        } }, column.title);
        return h("th", { class: column.number ? "" : "left" }, press);
      });
      function fillBody() {
        heads.forEach((head, c) => {
          if (by === c) head.setAttribute("aria-sort", descending ? "descending" : "ascending");
          else head.removeAttribute("aria-sort");
          head.firstChild.textContent = columns[c].title + (by === c ? (descending ? " ▾" : " ▴") : "");
        });
        body.replaceChildren(...(by === null ? rows : sortedRows(rows, columns[by].key, descending)).map(build));
      }
      fillBody();
      return h("table", { "aria-label": caption }, h("thead", {}, h("tr", {}, heads)), body);
    }

    /** A table of the program, {columns, rows, totals}: rows that have units select them. */
    const PAINT = { delta_ms: verdictOf };
    function dataTable(table, caption, unitsOf = () => [], nameOf = null, from = undefined) {
      const keyed = (cell) => (Array.isArray(cell) ? cell[1] : cell);
      const columns = table.columns.map((column, c) => ({ title: column.unit === "" ? column.title : `${column.title} [${column.unit}]`, help: column.help, number: column.number, key: ({ cells }) => keyed(cells[c]) }));
      const line = (cells) => cells.map((cell, c) => {
        const text = Array.isArray(cell) ? cell[0] : cell;
        const { id, number } = table.columns[c];
        return h("td", { class: [number ? "" : "wrap", PAINT[id]?.(text) ?? ""].filter((x) => x !== "").join(" ") || null }, number ? typeset(text) : text);
      });
      const shown = new Map();
      const isOn = (i) => unitsOf(i).some((unit) => state.units.has(unit));
      const build = ({ cells, i }) => {
        const tr = nameOf === null ? h("tr", {}, line(cells)) : h("tr", { class: "pick", tabindex: 0, onclick: () => select(unitsOf(i), nameOf(i), from) }, line(cells));
        if (nameOf !== null) enter(tr);
        shown.set(i, tr);
        tr.classList.toggle("on", isOn(i));
        return tr;
      };
      const out = sortable(columns, table.rows.map((cells, i) => ({ cells, i })), build, caption);
      if (table.totals.length > 0) out.append(h("tfoot", {}, table.totals.map((cells) => h("tr", {}, line(cells)))));
      const mark = () => {
        shown.forEach((tr, i) => tr.classList.toggle("on", isOn(i)));
        return [...shown.values()].find((tr) => tr.classList.contains("on"));  // the first one, if any
      };
      return { out, mark };
    }

    function stages() {
      const made = section("stages", "Stages");
      const box = h("div", { class: "scroll" });
      const note = h("p", { class: "note" }, "");
      made.out.append(note, box);
      tools(made.head, choice());
      let shown = null;
      function draw() {
        const schedule = data.schedules[state.shown];
        shown = dataTable(schedule.table, "Stages of " + schedule.label, (i) => schedule.stages[i].g.flat(2), (i) => `stage ${i + 1} of ${schedule.label}`, "stages");
        box.replaceChildren(shown.out);
        note.textContent = schedule.chose === null ? "" : `These stages chose the kernels of ${schedule.label}, which run on ${schedule.chose === 1 ? "one lane" : `${schedule.chose} lanes`} without barriers.`;
      }
      function mark(from) {
        const first = shown.mark();
        if (first !== undefined && from !== "stages" && from !== undefined) box.scrollTop = first.offsetTop - box.clientHeight / 3;
      }
      watchers.push(mark);
      shownWatchers.push(draw);
      return { out: made.out, draw };
    }

    // -- timelines
    const LANE = 20;
    function timelines() {
      const all = [
        ...data.schedules.filter((x) => x.trace.k.length > 0).map((x) => ({ label: x.label, by: null, ms: x.ms, run: data.runs[x.run], lanes: x.trace.lanes, us: x.trace.us, stages: x.trace.st, source: x.trace.src,
          spans: x.trace.k.map((k) => ({ name: x.trace.names[k[0]], lane: k[1], stage: k[2], b: k[3], e: k[3] + k[4], units: k[5], kind: k[6], merged: k[7] === 1 })) })),
        ...data.beside.filter((x) => x.k.length > 0).map((x) => ({ label: x.label, by: x.by, ms: x.ms, run: null, lanes: x.lanes, us: x.us, stages: [], source: x.by,
          spans: x.k.map((k) => { const entry = x.entries[k[0]]; return { name: entry[0], lane: k[1], stage: -1, b: k[2], e: k[2] + k[3], units: entry[4], kind: entry[4].length > 0 ? data.units[entry[4][0]][2] : data.unmatched, rule: entry[3] }; }) })),
      ];
      if (all.length === 0) return null;
      all.forEach((line) => line.spans.sort((a, b) => a.b - b.b));
      const sequential = data.schedules.findIndex((x) => x.role === 0);
      const first = new Set([sequential, best].filter((i) => i >= 0).map((i) => data.schedules[i].label));
      const usual = Math.max(...all.filter((line) => first.has(line.label)).map((line) => line.us), 0);
      // One that takes many times as long leaves nothing to see of the others.
      let shown = all.map((line) => first.has(line.label) || (line.by !== null && (usual === 0 || line.us < 4 * usual)));
      if (!shown.includes(true)) shown = all.map((_, i) => i < 2);
      if (shown.filter(Boolean).length > 6) shown = shown.map((on, i) => on && shown.slice(0, i).filter(Boolean).length < 6);

      const made = section("timelines", "Timelines");
      made.out.classList.add("long");
      const box = h("div", {});
      const range = h("p", { class: "note" }, "");
      let view = [0, 1];
      let whole = 1;
      let measured = null;
      let drawn = [];

      const setWhole = () => {
        whole = Math.max(1e-9, ...all.filter((_, i) => shown[i]).map((line) => line.us));
        view = [0, whole];
      };
      const toX = (t, width) => ((t - view[0]) / (view[1] - view[0])) * width;
      const zoomTo = (factor, around) => { view = zoomed(view, factor, around, whole); draw(); };

      function one(line) {
        const width = Math.max(300, box.clientWidth || 1200) - 2;
        const scale = width / (view[1] - view[0]);
        const height = 18 + line.lanes * LANE + 4;
        const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, tabindex: 0, role: "application", "aria-label": `Timeline of ${line.label}, ${line.lanes} lanes, ${line.spans.length} kernels. Arrow keys go from kernel to kernel, Enter selects, + and − zoom, 0 shows everything.` });
        svg.style.height = height + 2 + "px";  // with its border
        line.stages.forEach(([b, e], i) => {
          if (e < view[0] || b > view[1] || (e - b) * scale < 1) return;
          svg.append(s("rect", { class: "stage" + (i % 2 ? " odd" : ""), x: toX(b, width), y: 18, width: (e - b) * scale, height: height - 18 }));
        });
        for (const t of ticks(view[0], view[1], Math.max(2, Math.floor(width / 110)))) {
          const x = toX(t, width);
          svg.append(s("line", { class: "grid", x1: x, x2: x, y1: 14, y2: height }));
          if (x < width - 50) svg.append(s("text", { class: "axis", x: x + 3, y: 11 }, timeText(t / 1000)));
        }
        const elements = [];
        for (let lane = 0; lane < line.lanes; lane++) {
          const spans = line.spans.map((span, i) => ({ b: span.b, e: span.e, i, lane: span.lane })).filter((span) => span.lane === lane);
          for (const span of visibleSpans(spans, view[0], view[1], scale)) {
            const x = toX(span.b, width);
            const w = Math.max(0.7, (span.e - span.b) * scale);
            const owner = span.i >= 0 ? line.spans[span.i] : null;
            const rect = s("rect", { class: "span k" + (owner?.kind ?? data.unmatched), x, y: 19 + lane * LANE, width: w, height: LANE - 3, "data-span": span.i });
            svg.append(rect);
            const lines = owner?.merged ? mergedLines(x, 19 + lane * LANE, w, LANE - 3) : null;
            elements.push([rect, owner, lines]);
            if (lines !== null) svg.append(lines);
            const from = Math.max(x, 0);
            const room = Math.floor((Math.min(x + w, width) - from - 6) / 6);
            if (owner !== null && room >= 3) svg.append(s("text", { class: "spantext", x: from + 3, y: 19 + lane * LANE + 12 }, shortName(owner.name, room)));
          }
        }
        if (measured !== null && measured.line === line) {
          const [from, to] = [measured.from, measured.to].sort((a, b) => a - b);
          svg.append(s("rect", { class: "measure", x: toX(from, width), y: 14, width: Math.max(1, (to - from) * scale), height: height - 14 }));
        }
        events(svg, line, width);
        drawn.push({ elements });
        return svg;
      }

      const spanText = (line, span) => `${span.name}\n${timeText((span.e - span.b) / 1000)}, from ${timeText(span.b / 1000)} on, lane ${span.lane + 1}` +
        (span.stage >= 0 ? `, stage ${span.stage + 1}` : "") + (span.units.length > 0 ? "\nunits: " + unitsText(span.units) : span.rule !== undefined ? "\nnot matched to a unit" : "") +
        (span.rule !== undefined && span.units.length > 0 ? `\nmatched by ${span.rule}` : "");

      function events(svg, line, width) {
        const time = (event) => {
          const rect = svg.getBoundingClientRect();
          return view[0] + ((event.clientX - rect.left) / rect.width) * (view[1] - view[0]);
        };
        let drag = null;
        let cursor = -1;
        const mark = s("rect", { class: "measure", y: 14, height: 18 + line.lanes * LANE - 10, width: 0 });
        svg.addEventListener("pointerdown", (event) => {
          if (event.button !== 0) return;
          drag = { from: time(event), x: event.clientX, target: event.target, moved: false };
          capture(svg, event);
        });
        svg.addEventListener("pointermove", (event) => {
          if (drag !== null) {
            if (Math.abs(event.clientX - drag.x) > 3) drag.moved = true;
            if (!drag.moved) return;
            const [from, to] = [drag.from, time(event)].sort((a, b) => a - b);
            mark.setAttribute("x", toX(from, width));
            mark.setAttribute("width", toX(to, width) - toX(from, width));
            if (!mark.isConnected) svg.append(mark);
            showTip("Δt " + timeText((to - from) / 1000), event.clientX, event.clientY);
            return;
          }
          const index = Number(event.target.dataset?.span ?? -1);
          showTip(index >= 0 ? spanText(line, line.spans[index]) : event.target.dataset?.span !== undefined ? "several short kernels: zoom in" : "", event.clientX, event.clientY);
        });
        svg.addEventListener("pointerleave", hideTip);
        svg.addEventListener("pointercancel", () => { drag = null; mark.remove(); });
        svg.addEventListener("pointerup", (event) => {
          const ended = drag;
          drag = null;
          hideTip();
          if (ended === null) return;
          if (ended.moved) {
            measured = { line, from: ended.from, to: time(event) };
            return draw();
          }
          const index = Number(ended.target.dataset?.span ?? -1);
          if (index >= 0 && line.spans[index].units.length > 0) select(line.spans[index].units, unitsText(line.spans[index].units), "timelines");
          else if (measured !== null) { measured = null; draw(); }
        });
        svg.addEventListener("dblclick", () => { view = [0, whole]; draw(); });
        svg.addEventListener("wheel", (event) => {
          if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;
          event.preventDefault();
          if (event.shiftKey) {
            const by = ((event.deltaY || event.deltaX) / width) * (view[1] - view[0]);
            const from = Math.min(Math.max(0, view[0] + by), whole - (view[1] - view[0]));
            view = [from, from + (view[1] - view[0])];
            draw();
          } else zoomTo(Math.pow(1.0016, event.deltaY), time(event));
        }, { passive: false });
        svg.addEventListener("keydown", (event) => {
          const middle = (view[0] + view[1]) / 2;
          if (event.key === "+" || event.key === "=") zoomTo(0.7, middle);
          else if (event.key === "-") zoomTo(1.4, middle);
          else if (event.key === "0") { view = [0, whole]; draw(); }
          else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
            cursor = Math.min(line.spans.length - 1, Math.max(0, cursor + (event.key === "ArrowRight" ? 1 : -1)));
            said.textContent = spanText(line, line.spans[cursor]);
            const rect = svg.querySelector(`[data-span="${cursor}"]`)?.getBoundingClientRect();
            if (rect) showTip(spanText(line, line.spans[cursor]), rect.left, rect.bottom);
          } else if (event.key === "Enter" && cursor >= 0) select(line.spans[cursor].units, unitsText(line.spans[cursor].units), "timelines");
          else return;
          event.preventDefault();
        });
      }

      function draw() {
        drawn = [];
        const focused = [...box.querySelectorAll("svg")].indexOf(document.activeElement);
        const kids = [];
        all.forEach((line, i) => {
          if (!shown[i]) return;
          kids.push(h("div", { class: "line" },
            h("div", {}, h("h3", {}, line.label), h("span", { class: "note" }, timeText(line.us / 1000) + " in this run"), line.run === null ? origin("recorded", line.by) : origin(line.run.origin)), one(line)));
        });
        box.replaceChildren(...kids);
        if (focused >= 0) box.querySelectorAll("svg")[focused]?.focus();
        range.textContent = measured === null ? "Drag over a timeline to measure a Δt; Ctrl + wheel zooms, Shift + wheel moves, a double click shows everything."
          : `Δt ${timeText(Math.abs(measured.to - measured.from) / 1000)} in ${measured.line.label}, from ${timeText(Math.min(measured.from, measured.to) / 1000)} on: ${busyText(measured)}`;
        toRange.disabled = measured === null;
        mark();
      }
      function busyText(m) {
        const [from, to] = [m.from, m.to].sort((a, b) => a - b);
        const inside = m.line.spans.filter((span) => span.e > from && span.b < to);
        const busy = inside.reduce((sum, span) => sum + Math.min(span.e, to) - Math.max(span.b, from), 0);
        return `${inside.length} kernels, on average ${digits(busy / Math.max(1e-9, to - from))} of ${m.line.lanes} lanes busy`;
      }
      function mark() {
        for (const { elements } of drawn) {
          for (const [rect, owner, lines] of elements) {
            const on = owner !== null && owner.units.some((unit) => state.units.has(unit));
            rect.classList.toggle("on", on);
            rect.classList.toggle("dim", !on && state.units.size > 0);
            lines?.classList.toggle("dim", !on && state.units.size > 0);
          }
        }
      }
      const press = (label, title, act) => h("button", { type: "button", title, "aria-label": title, onclick: act }, label);
      const toRange = press("Zoom to Δt", "Zoom to the measured range", () => {
        const [from, to] = [measured.from, measured.to].sort((a, b) => a - b);
        if (to > from) view = zoomed([from, to], 1, from, whole);
        draw();
      });
      tools(made.head,
        all.map((line, i) => {
          const button = h("button", { type: "button", "aria-pressed": String(shown[i]), onclick: () => {
            shown[i] = !shown[i];
            button.setAttribute("aria-pressed", String(shown[i]));
            if (shown.includes(true)) setWhole();
            draw();
          } }, shortName(line.label, 32));
          return button;
        }),
        press("+", "Zoom in", () => zoomTo(0.6, (view[0] + view[1]) / 2)), press("−", "Zoom out", () => zoomTo(1.6, (view[0] + view[1]) / 2)), toRange,
        press("Fit", "Show whole runs", () => { view = [0, whole]; draw(); }));
      made.out.append(range, box);
      if (all.some((line) => line.spans.some((span) => span.merged))) {
        const sign = s("svg", { viewBox: "0 0 30 14", "aria-hidden": "true" }, s("rect", { class: "blank", x: 0.5, y: 0.5, width: 29, height: 13, rx: 2 }), mergedLines(1, 0, 28, 14));
        made.out.append(h("div", { class: "legend" }, h("span", {}, sign, "merged layers; colours as in the graph")));
      }
      watchers.push(mark);
      setWhole();
      return { out: made.out, draw };
    }

    // -- what others recorded
    function beside() {
      const withEntries = data.beside.filter((x) => x.entries.length > 0 || x.notices.length > 0);
      if (withEntries.length === 0) return null;
      const made = section("beside", "Recorded elsewhere");
      made.out.classList.add("long");
      const lists = withEntries.map((x) => {
        const marks = new Map();
        const rows = x.entries.map((entry, i) => ({ i, entry }));
        const columns = [
          { title: "kernel", key: (row) => row.entry[0] }, { title: "type", key: (row) => row.entry[1] }, { title: "ms", number: true, key: (row) => row.entry[2] },
          { title: "matched by", key: (row) => row.entry[3] }, { title: "units", key: (row) => (row.entry[4].length > 0 ? unitName(row.entry[4][0]) : "") },
        ];
        const build = ({ entry }) => {
          const units = entry[4];
          const tr = h("tr", { class: units.length > 0 ? "pick" : "", tabindex: units.length > 0 ? 0 : null, onclick: () => units.length > 0 && select(units, unitsText(units), "beside") },
            h("td", { class: "wrap" }, entry[0]), h("td", { class: "wrap" }, entry[1]), h("td", {}, entry[2].toFixed(4)),
            h("td", { class: "left" }, entry[3] === "none" ? "–" : entry[3]), h("td", { class: "wrap" }, units.length > 0 ? unitsText(units) : "no operator of this graph"));
          enter(tr);
          tr.classList.toggle("on", units.some((unit) => state.units.has(unit)));
          marks.set(tr, units);
          return tr;
        };
        const on = () => marks.forEach((units, tr) => tr.classList.toggle("on", units.some((unit) => state.units.has(unit))));
        watchers.push(on);
        const tally = x.tally.filter((rule) => rule[1] > 0).map(([rule, n, ms]) => `${rule === "none" ? "unmatched" : "by " + rule}: ${n} (${timeText(ms)})`).join(", ");
        return h("div", { class: "line" }, h("div", {}, h("h3", {}, x.label), origin("recorded", x.by), h("span", { class: "note" }, x.file)),
          x.entries.length > 0 ? h("p", { class: "note" }, `${(Math.floor(1000 * x.share) / 10).toFixed(1)} % of its kernels' time is matched to this graph: ${tally}.`) : null,
          x.notices.length > 0 ? h("ul", { class: "notes" }, x.notices.map((text) => h("li", {}, text))) : null,
          x.entries.length > 0 ? h("div", { class: "scroll" }, sortable(columns, rows, build, "Kernels of " + x.label)) : null);
      });
      made.out.append(...lists);
      return made.out;
    }

    function environment() {
      const envs = data.runs.map((run) => {
        const row = (name, value) => (value === "" || value === null ? [] : [h("dt", {}, name), h("dd", {}, value)]);
        return h("div", {}, h("h3", {}, run.label), h("dl", {}, row("latencies", origin(run.origin, run.recorded === "" ? run.origin : run.origin + ", " + run.recorded)), row("device", run.device), row("", run.summary),
          row("batch", String(run.batch)), row("precision", run.precision), row("host", run.host), row("system", run.system), row("program", run.program), row("when", run.when), row("network", run.source),
          run.options.map(([name, value]) => row(name, value))),
          run.notices.length > 0 ? h("ul", { class: "notes" }, run.notices.map((text) => h("li", {}, text))) : null);
      });
      return section("environment", "Environment", h("div", { class: "envs" }, envs)).out;
    }

    const theGraph = graph();
    const theStages = stages();
    const theTimelines = timelines();
    const sections = [bars(), distribution(), networks(), matrix(), comparison(), h("div", { class: "pair" }, theGraph.out, theStages.out), theTimelines?.out ?? null, beside(), environment()].filter((x) => x !== null);
    page.replaceChildren(...sections);
    for (const part of page.querySelectorAll("section")) bar.append(h("a", { href: "#" + part.id }, part.querySelector("h2").textContent));
    bar.append(h("div", { class: "chosen" }, chosen, clear));
    theGraph.draw();
    theStages.draw();
    theTimelines?.draw();
    let waiting = 0;
    let width = innerWidth;
    addEventListener("resize", () => {
      cancelAnimationFrame(waiting);
      waiting = requestAnimationFrame(() => {
        if (innerWidth === width) return;
        width = innerWidth;
        theGraph.draw();
        theTimelines?.draw();
      });
    });
    document.documentElement.dataset.ready = "yes";
  })();
}
