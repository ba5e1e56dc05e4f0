"""Two features together: what the command says, and what Python says with the same options.

The features are those of tests/cli/pairs.json. In its column "python" are the keywords of iosx.compare(), whose names may
differ from the command's. They are null where it has no such option; then it only opens what the command wrote.
"""

import csv
import io
import json
import os
import re
import shutil
import subprocess
import unittest

import iosx
from iosx._window import program
from support import Case

with open(os.path.join(os.path.dirname(__file__), "../cli/pairs.json"), encoding="utf-8") as file:
    TABLE = json.load(file)

# What is of one run alone: files, times, and sums whose last digit varies.
OF_ONE_RUN = {"files", "recorded", "search_seconds", "history", "tasks", "prediction", "estimated_gap"}
SEARCH_SECONDS = re.compile(r"\d+\.\d{3}(?= +\d+$)", re.MULTILINE)  # in a table


def page_data(page):
    """Returns what the page of a comparison says of its schedules."""
    data = json.loads(page.split('id="data">')[1].split("</script>")[0])
    return [(each["id"], each["ms"], each["over"]) for each in data["schedules"]]


def rows_of(text):
    """Returns what a table as CSV says of its schedules."""
    return [(row["schedule"], row["latency_ms"], row["over_limit"]) for row in csv.DictReader(io.StringIO(text))]


def lasting(document):
    """Returns the document of a comparison without what is of one run alone."""
    schedules = [{key: each[key] for key in each if key not in OF_ONE_RUN} for each in document["schedules"]]
    return {**{key: document[key] for key in document if key not in OF_ONE_RUN}, "schedules": schedules}


class Pairs(Case):
    def setUp(self):
        super().setUp()
        self.done("compare", "sample", "--device", "tesla-v100", "-o", self.path("given"))
        self.done("convert", "sample", self.path("original.json"), "--format", "ios")
        self.done("export", "scheduled-onnx", "sample", "--schedule", "greedy", "-o", self.path("scheduled.onnx"))
        with open(self.path("layers.csv"), "w", encoding="ascii") as layers:
            layers.write("operator,latency_us\nconcat,400\nsomething else,100\n")
        self.files = {
            "LANES": self.path("given/ios-flow.schedule.json"),
            "WARM": self.path("given/ios-parallel.schedule.json"),
            "ORIGINAL": self.path("original.json"),
            "ONNX": self.path("scheduled.onnx"),
            "EXTERNAL": self.path("layers.csv"),
        }

    @staticmethod
    def command(*words):
        return subprocess.run([program("iosx"), *words], capture_output=True, text=True, check=False)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as text:
            return text.read()

    def done(self, *words):
        done = self.command(*words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def said(self, call):
        """Returns what a call returns, and the notices that it says."""
        with self.assertLogs("iosx", "WARNING") as logged:
            iosx._progress.Quiet().notice("the first one")
            result = call()
        return result, [record.getMessage() for record in logged.records[1:]]

    def check(self, one, other):
        """Compares the command and Python with both features."""
        graph, words, options = "sample", [], {"device": "tesla-v100"}
        for feature in (one, other):
            arguments = [self.files.get(word, word) for word in feature["arguments"]]
            if arguments[0] == "GRAPH":
                graph = arguments[1]
            else:
                words += arguments
                options.update(feature["python"] or {})
        files = {**self.files, "STORE": self.path("python.db")}
        options = {key: files.get(value, value) if isinstance(value, str) else value for key, value in options.items()}
        saved, page, folder = self.path("command.iosrun"), self.path("command.html"), self.path("command")
        finer = options.pop("finer_units", False)
        if "--device" not in words:
            words += ["--device", "tesla-v100"]
        words = [word.replace("STORE", self.path("command.db")) for word in words]
        for name in ("command", "python"):
            shutil.rmtree(self.path(name), ignore_errors=True)
        done = self.command("compare", graph, *words, "--save", saved, "--report", page, "-o", folder, "--json")

        def compare():
            opened = iosx.open(graph)
            if "--strategy" in words and opened.schedule:  # with which the command runs the schedule in a file, too
                options["schedules"] = [*options["schedules"], "file"]
            return iosx.compare(opened.finer_units() if finer else opened, **options)

        if done.returncode != 0:
            self.refused_alike(compare, self.refusal(one, other))
            return
        document = json.loads(done.stdout)
        run = iosx.open_run(saved)
        self.same(run, document)
        if all(feature.get("python", {}) is not None for feature in (one, other)):
            run, notices = self.said(compare)
            self.same(run, document)
            _, left_out = self.said(lambda: run.write_files(self.path("python")))
            told = [line.removeprefix("iosx: ").replace(folder, self.path("python")) for line in done.stderr.splitlines()]
            self.assertEqual(notices + left_out, [iosx._core.in_python(line) for line in told])
            tables = [self.read(f"{maker}/comparison.txt") for maker in ("python", "command")]
            self.assertEqual(*[SEARCH_SECONDS.sub("", table) for table in tables])
            self.assertEqual(rows_of(self.read("python/schedules.csv")), rows_of(self.read("command/schedules.csv")))
            self.runs_again(run, document)
        self.assertEqual(page_data(run.html()), page_data(self.read("command.html")))
        run.save(self.path("python.iosrun"))
        shown = json.loads(self.done("show", self.path("python.iosrun"), "--json").stdout)
        self.assertEqual(lasting(shown), lasting(document))

    def runs_again(self, run, document):
        """The file of the best schedule, which the command wrote, runs as it was said to."""
        for row in document["schedules"]:
            if row["id"] == document["best_id"]:
                schedule = iosx.load_schedule(self.path(f"command/{row['id']}.schedule.json"), run.graph)
                result, _ = iosx.run(run.graph, schedule, device=run.device, batch=run.batch)
                self.assertAlmostEqual(float(result.latency), row["latency_ms"], places=9)
                self.assertEqual(result.schedule.barrier_free, bool(row.get("launches")))

    def refused_alike(self, compare, refusal):
        if "python" in refusal:  # is told instead
            self.assertIn(refusal["python"], "".join(self.said(compare)[1]))
            return
        with self.assertRaises((iosx.Error, ValueError)) as caught:
            compare()
        self.assertIn(refusal["said"], str(caught.exception))

    def same(self, run, document):
        """Compares a run with the document of the command."""
        self.assertEqual(lasting(run.to_dict()), lasting(document))
        ids = [row["id"] for row in document["schedules"]]
        self.assertEqual([each.id for each in run][: len(ids)], ids)  # those that nobody requested come last
        for each, row in zip(run, document["schedules"]):
            self.assertEqual(float(each.latency), row["latency_ms"])
            self.assertEqual(float(each.speedup), row["speedup"])
            self.assertEqual(each.schedule.barrier_free, bool(row.get("launches")))
        if document["best_id"] is None:
            with self.refused(what="no schedule fits the limit"):
                _ = run.best
        else:
            self.assertEqual(run.best.id, document["best_id"])

    @staticmethod
    def refusal(one, other):
        return next(row for row in TABLE["refused"] if row["pair"] == [one["name"], other["name"]])


def _paired(one, other):
    """Whether two features can be given together in Python."""
    if one["arguments"][0] == other["arguments"][0]:
        return False
    keywords = [feature.get("python") or {} for feature in (one, other)]
    return not set(keywords[0]) & set(keywords[1])


def _test_of(one, others):
    def test(self):
        for other in others:
            if _paired(one, other):
                with self.subTest(other=other["name"]):
                    self.check(one, other)

    return test


for _number, _one in enumerate(TABLE["features"][:-1]):
    _name = "test_" + _one["name"].replace(" ", "_")
    setattr(Pairs, _name, _test_of(_one, TABLE["features"][_number + 1 :]))


if __name__ == "__main__":
    unittest.main()
