"""What values show of themselves in a notebook, and the way to the window."""

import html
import os
import re
import socket
import subprocess
import sys
import threading
import time
import unittest
import xml.etree.ElementTree

import iosx
from iosx import _picture
from support import Case, toy

SVG = "{http://www.w3.org/2000/svg}"


class Shows(Case):
    def test_a_run_is_its_page(self):
        run = iosx.compare(toy(), "tesla-v100")
        shown = run._repr_html_()
        page = html.unescape(re.search(r'srcdoc="([^"]*)"', shown).group(1))
        self.assertEqual(page, run.html())

    def test_a_result_is_its_table(self):
        run = iosx.compare(toy(), "tesla-v100")
        table = xml.etree.ElementTree.fromstring(run["greedy"]._repr_html_())
        rows = table.findall("tbody/tr")
        self.assertEqual([row[2].text for row in rows], ["[wide] [narrow]", "[both]"])

    def test_a_graph_is_its_picture_in_stages(self):
        graph = iosx.open("inception_v3")
        picture = xml.etree.ElementTree.fromstring(graph._repr_html_())
        names = {title.text.rsplit(": ", 1)[0] for title in picture.iter(f"{SVG}title")}
        self.assertEqual(names, {unit.name for unit in graph.units})

    def test_merged_layers_are_framed(self):
        graph = iosx.open("squeezenet")
        merged = iosx.optimize(graph, "tesla-v100", strategies="merge")
        count = sum(isinstance(step, tuple) for stage in merged.stages for group in stage for step in group)
        self.assertGreater(count, 0)
        self.assertEqual(merged._repr_html_().count('class="frame"'), 2 * count)

    def test_a_class_of_operators_has_the_report_s_colour(self):
        sheet = os.path.join(os.path.dirname(__file__), "../../resources/report/report.css")
        if not os.path.exists(sheet):
            self.skipTest("these tests lie outside of the repository")
        with open(sheet, encoding="utf-8") as file:
            colours = re.findall(r"--c\d+: (#[0-9a-f]{6})", file.read())
        self.assertEqual(_picture.LIGHT + _picture.DARK, colours)

    def test_names_of_any_kind_are_text(self):
        builder = iosx.GraphBuilder("<b>&")
        builder.activation(builder.input((3, 4, 4)), "relu", name='"<script>')
        graph = builder.build()
        xml.etree.ElementTree.fromstring(graph._repr_html_())
        self.assertNotIn("<script>", iosx.compare(graph, "tesla-v100")["greedy"]._repr_html_())

    def test_a_table_becomes_a_dataframe(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed for this Python")
        frame = iosx.compare(toy(), "tesla-v100").to_dataframe()
        self.assertIsInstance(frame, pandas.DataFrame)
        self.assertEqual(list(frame["schedule"][:2]), ["sequential", "greedy"])
        sweep = iosx.sweep(toy(), "batch", [1, 2], "tesla-v100", schedules=["sequential"]).to_dataframe()
        self.assertEqual(set(sweep["value"]), {1, 2})


class Opens(Case):
    def test_the_file_goes_with_the_window(self):
        window = self.path("ios-explorer")
        with open(window, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\ncp "$1" "{self.folder.name}/seen"\necho "$1" > "{self.folder.name}/path"\n')
        os.chmod(window, 0o755)
        program = "import sys, iosx; iosx._window.program = lambda name: sys.argv[1]; iosx.open_run(sys.argv[2]).show()"
        run = iosx.compare(toy(), "tesla-v100", schedules=["sequential"])
        run.save(self.path("toy.iosrun"))
        command = [sys.executable, "-W", "error", "-c", program, window, self.path("toy.iosrun")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for _ in range(100):
            if os.path.exists(self.path("path")) and not os.path.exists(self.shown()):
                break
            time.sleep(0.05)
        self.assertEqual(iosx.open_run(self.path("seen")).network, "toy")
        self.assertFalse(os.path.exists(os.path.dirname(self.shown())))

    def shown(self):
        with open(self.path("path"), encoding="utf-8") as file:
            return file.read().strip()


class Attach(Case):
    def listen(self, number, answer):
        """A window's end of the socket, which answers once."""
        place = os.path.join(self.folder.name, f"ios-explorer-{number}.socket")
        server = socket.socket(socket.AF_UNIX)
        self.addCleanup(server.close)
        server.bind(place)
        server.listen()

        def serve():
            with server.accept()[0] as connection:
                connection.sendall(answer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        return place

    def setUp(self):
        super().setUp()
        self.addCleanup(self._restore, "XDG_RUNTIME_DIR", os.environ.get("XDG_RUNTIME_DIR"))
        os.environ["XDG_RUNTIME_DIR"] = self.folder.name

    def test_it_takes_the_run_of_the_window_that_was_used_last(self):
        for number, network in ((1, "sample"), (2, "squeezenet")):
            path = self.path(f"{network}.iosrun")
            iosx.compare(iosx.open(network), "tesla-v100", schedules=["sequential"]).save(path)
            with open(path, "rb") as file:
                place = self.listen(number, file.read())
            os.utime(place, (number, number))
        self.assertEqual(iosx.attach().network, "squeezenet")

    def test_without_a_window_or_a_run_it_says_so(self):
        with self.refused(what="no window"):
            iosx.attach()
        self.listen(1, b"")
        with self.refused(what="no run"):
            iosx.attach()

    def test_one_that_was_killed_is_passed_over(self):
        server = socket.socket(socket.AF_UNIX)
        server.bind(self.path("ios-explorer-9.socket"))
        server.close()
        with self.refused(what="no window"):
            iosx.attach()

    def test_nonsense_is_an_error(self):
        self.listen(1, b"no run at all")
        with self.assertRaises(iosx.Error):
            iosx.attach()


if __name__ == "__main__":
    unittest.main()
