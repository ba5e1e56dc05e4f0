#!/usr/bin/env python3
"""Opens a report in a headless Chromium, uses it, and looks for errors.

    open_page.py IOSX

Exits with 77 (skipped) where there is no Chromium.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from html import unescape
from pathlib import Path

SKIPPED = 77
HOSTILE = "</script><script>document.title='taken'</script><img src=x onerror=\\\"document.title='taken'\\\">"

# What a reader does. Throws, or leaves "good" in data-result.
USE = """
const fail = (what) => { throw new Error(what); };
const expect = (good, what) => { if (!good) fail(what); };
const all = (selector) => [...document.querySelectorAll(selector)];
const root = document.documentElement;
try {
  expect(root.dataset.ready === "yes", "the page is not ready");
  expect(document.title !== "taken" && all("img").length === 0, "a name became markup");
  expect(all("#result .name").length === 4, "three schedules and what was recorded elsewhere");
  expect(all("#graph .unit").length > 3, "units");
  expect(all("#timelines .span").length > 3, "kernels");

  const row = all("#stages tbody tr").at(-1);
  row.click();
  expect(row.classList.contains("on"), "the row is selected");
  expect(all("#graph .unit.on").length > 0, "the stage's units are selected in the graph");
  expect(all("#timelines .span.on").length > 0, "and its kernels in timelines");
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
  expect(all(".unit.on, .span.on, tr.on").length === 0, "Escape clears the selection");

  const pointer = (element, type, x, y) => element.dispatchEvent(new PointerEvent(type, { bubbles: true, button: 0, pointerId: 1, clientX: x, clientY: y }));
  const unit = document.querySelector("#graph .unit");
  const box = unit.getBoundingClientRect();
  pointer(unit, "pointermove", box.x + 3, box.y + 3);
  expect(!document.getElementById("tip").hidden && document.getElementById("tip").textContent.includes("Stage 1 of"), "hover says what it is");
  pointer(unit, "pointerdown", box.x + 3, box.y + 3);
  pointer(unit, "pointerup", box.x + 3, box.y + 3);
  expect(unit.classList.contains("on") && all("#stages tr.on").length === 1, "a click on a unit selects its stage's row");

  const heads = all("#stages th button");
  heads[1].click();
  const ms = all("#stages tbody tr").map((tr) => Number(tr.children[1].textContent));
  expect(ms.every((value, i) => i === 0 || value <= ms[i - 1]), "stages are sorted by their time, the longest first");
  expect(all("#stages th")[1].getAttribute("aria-sort") === "descending", "and the title says so");

  const before = all("#graph [data-stage]").length;
  const choice = document.querySelector("#graph select");
  choice.value = String((Number(choice.value) + 1) % choice.options.length);
  choice.dispatchEvent(new Event("change"));
  expect(document.querySelector("#stages select").value === choice.value, "both choices show the same schedule");
  expect(all("#graph [data-stage]").length !== before || choice.options.length < 2, "another schedule, other stages");

  const line = document.querySelector("#timelines .line .span").closest("svg");
  const place = line.getBoundingClientRect();
  const kernels = all("#timelines .line")[0].querySelectorAll(".span").length;
  pointer(line, "pointerdown", place.x + 0.2 * place.width, place.y + 30);
  pointer(line, "pointermove", place.x + 0.4 * place.width, place.y + 30);
  pointer(line, "pointerup", place.x + 0.6 * place.width, place.y + 30);
  expect(/^Δt .* of \\d+ lanes busy$/.test(document.querySelector("#timelines > .note").textContent), "a drag measures");
  document.querySelector("#timelines button[title='Zoom to the measured range']").click();
  expect(all("#timelines .line")[0].querySelectorAll(".span").length < kernels, "zoom shows fewer kernels");
  document.querySelector("#timelines .line .span").closest("svg").dispatchEvent(new KeyboardEvent("keydown", { key: "0" }));
  expect(all("#timelines .line")[0].querySelectorAll(".span").length === kernels, "0 shows all again");

  document.querySelector("#parts tbody tr").click();
  expect(all("#graph .unit.on").length > 0, "a part selects its units");
  document.querySelector("#beside tbody tr.pick").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
  expect(all("#graph .unit.on").length === 1, "a kernel from elsewhere selects its unit");
  root.dataset.result = "good";
} catch (error) {
  root.dataset.result = String(error);
}
"""


def chromium():
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return next((path for path in map(shutil.which, names) if path), None)


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stderr}")
    return done.stdout


def hostile_network(iosx, folder):
    graph = folder / "network.json"
    run([iosx, "convert", "sample", graph, "--format", "ios"])
    text = graph.read_text()
    name = re.search(r'"name": ?"(\w+)"', text).group(1)
    graph.write_text(text.replace(f'"{name}"', f'"{HOSTILE}"'))
    return graph


def main():
    iosx = sys.argv[1]
    browser = chromium()
    if browser is None:
        print("skipped: there is no chromium")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        graph = hostile_network(iosx, folder)
        times = folder / "times.csv"
        times.write_text("operator,latency_us\nconcat,12\nsomething else,3\n")
        page = folder / "page.html"
        run([iosx, "compare", graph, "--device", "tesla-v100", "--schedules", "sequential,greedy,ios-both",
             "--external", f"{times}=others", "--report", page])
        text = page.read_text()
        nonce = re.search(r'<script nonce="(\w+)"', text).group(1)
        used = folder / "used.html"
        used.write_text(text.replace("</body>", f'<script nonce="{nonce}">{USE}</script></body>'))
        done = subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}",
             "--enable-logging=stderr", "--window-size=1400,1200", "--virtual-time-budget=5000", "--dump-dom",
             used.as_uri()],
            capture_output=True, text=True, timeout=120)
        said = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
        result = re.search(r'data-result="([^"]*)"', done.stdout)
        if said or result is None or result.group(1) != "good":
            print("\n".join(said))
            print("result:", unescape(result.group(1)) if result else "none; is the page whole?")
            return 1
    print("ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
