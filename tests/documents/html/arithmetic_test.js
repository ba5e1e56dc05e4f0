"use strict";
// The arithmetic of the report's page, by itself: node arithmetic_test.js PATH_OF_REPORT.JS
const assert = require("node:assert");
const page = require(require("node:path").resolve(process.argv[2]));

assert.equal(page.timeText(4.0312), "4.03 ms");
assert.equal(page.timeText(0.0872), "87.2 µs");
assert.equal(page.timeText(1250), "1.25 s");
assert.equal(page.timeText(0), "0 ms");
assert.equal(page.timeText(99.97), "100 ms");
assert.equal(page.timeText(9.997), "10.0 ms");
assert.equal(page.spreadText(2.991, 0.05), "2.99 ± 0.05 ms");
assert.equal(page.spreadText(210.75, 0.25), "210.75 ± 0.25 ms");
assert.equal(page.spreadText(1250, 2), "1.250 ± 0.002 s");
assert.equal(page.spreadText(0, 0.5), "0.00 ± 0.50 ms");
assert.equal(page.spreadText(0.0872, 0.001), "87.20 ± 1.00 µs");
assert.equal(page.spreadText(12.3, 0), "12.3 ms");
assert.equal(page.plain(-0.0002, 3), "0.000");
assert.equal(page.plain(-0.02, 3), "−0.020");
assert.equal(page.signed(-0.5, 3), "−0.500");
assert.equal(page.signed(0.01234, 4), "+0.0123");
assert.equal(page.signed(-0.00001, 3), "0");

assert.equal(page.typeset("-0.500 ~"), "−0.500 ≈");
assert.equal(page.typeset("0.98–1.04"), "0.98–1.04");
assert.equal(page.verdictOf("-0.500 ~"), "same");
assert.equal(page.verdictOf("+0.5 ?"), "same");
assert.equal(page.verdictOf("-0.5"), "faster");
assert.equal(page.verdictOf("+0.5"), "slower");
assert.equal(page.verdictOf("0"), "same");

assert.deepEqual(page.ticks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
assert.deepEqual(page.ticks(3, 3, 5), []);
for (const [low, high] of [[0, 1e-6], [5, 1e6], [0.3, 0.31]]) {
  const list = page.ticks(low, high, 8);
  assert.ok(list.length >= 3 && list.length <= 9, `${list.length} ticks`);
  assert.ok(list.every((t) => t >= low - 1e-12 && t <= high + (high - low) * 1e-6));
}

assert.equal(page.commonPrefix(["mixed_5b.conv1", "mixed_5b.conv2"]), "mixed_5b.");
assert.equal(page.commonPrefix(["conv1", "conv12"]), "");
assert.equal(page.commonPrefix(["only/one"]), "");
assert.equal(page.shortName("short", 8), "short");
assert.equal(page.shortName("branch3x3dbl_1", 8), "br…dbl_1");
assert.equal(Array.from(page.shortName("x".repeat(1e6), 8)).length, 8);
assert.equal(page.shortName("😀😀😀😀😀", 4), "😀…😀😀");

// Every unit is placed once, inside its stage; no two overlap; the same stages give the same places.
const stages = [];
let unit = 0;
for (let i = 0; i < 60; i++) {
  const group = () => [[unit++], i % 7 === 0 ? [unit++, unit++] : [unit++]];
  stages.push({ p: Math.floor(i / 9), g: i % 3 === 0 ? [group(), group(), group()] : [group()] });
}
const placed = page.layoutSchedule(stages, ["one", "two"], 1.6);
assert.equal(placed.units.length, unit);
assert.equal(new Set(placed.units.map((place) => place.unit)).size, unit);
assert.equal(placed.stages.length, 60);
const overlap = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const boxes = placed.units.map((place) => ({ ...place, width: page.BOX.width, height: page.BOX.height }));
for (const box of boxes) {
  const stage = placed.stages.find((one) => one.stage === box.stage);
  assert.ok(box.x >= stage.x && box.x + box.width <= stage.x + stage.width && box.y >= stage.y && box.y + box.height <= stage.y + stage.height);
  assert.ok(box.x + box.width <= placed.width && box.y + box.height <= placed.height);
  for (const other of boxes) assert.ok(other === box || !overlap(box, other));
}
for (const one of placed.stages) for (const other of placed.stages) assert.ok(one === other || !overlap(one, other));
assert.ok(placed.width / placed.height > 0.6 && placed.width / placed.height < 4.5, "its aspect");
assert.deepEqual(page.layoutSchedule(stages, ["one", "two"], 1.6), placed);
assert.equal(page.layoutSchedule([], [], 1.6).units.length, 0);
assert.deepEqual([...page.stageOfUnits([{ p: 0, g: [[[3], [1, 2]]] }, { p: 0, g: [[[0]]] }])], [[3, 0], [1, 0], [2, 0], [0, 1]]);

const rows = [{ a: 2, b: "x10" }, { a: 1, b: "x9" }, { a: null, b: "" }, { a: 2, b: "x2" }];
assert.deepEqual(page.sortedRows(rows, (row) => row.a, false).map((row) => row.b), ["x9", "x10", "x2", ""]);
assert.deepEqual(page.sortedRows(rows, (row) => row.a, true).map((row) => row.b), ["x10", "x2", "x9", ""]);
assert.deepEqual(page.sortedRows(rows, (row) => row.b, false).map((row) => row.b), ["x2", "x9", "x10", ""]);

// A hundred thousand short spans are few rectangles; a long one keeps its owner, and no time is lost.
const many = Array.from({ length: 100000 }, (_, i) => ({ b: i, e: i + 0.9, i }));
const seen = page.visibleSpans(many, 0, 100000, 0.01);
assert.ok(seen.length < 2000, `${seen.length} rectangles`);
assert.equal(seen.at(-1).e, 99999.9);
const close = page.visibleSpans([{ b: 0, e: 10, i: 0 }, { b: 10, e: 10.01, i: 1 }, { b: 10.02, e: 10.03, i: 2 }, { b: 50, e: 60, i: 3 }], 0, 55, 10);
assert.deepEqual(close.map((span) => span.i), [0, -1, 3]);
assert.deepEqual(page.visibleSpans(many, 500.95, 502.5, 100).map((span) => span.i), [501, 502]);

assert.deepEqual(page.zoomed([0, 100], 0.5, 50, 100), [25, 75]);
assert.deepEqual(page.zoomed([0, 50], 10, 0, 100), [0, 100]);
assert.deepEqual(page.zoomed([80, 100], 2, 100, 100), [60, 100]);
assert.equal(page.isFar(3000, 900), true);
assert.equal(page.isFar(900, 900), false);
console.log("ok");
