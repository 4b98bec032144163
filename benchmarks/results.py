"""Reads the JSON lines of goldml_benchmark_table and peers.py: a line about the machine, then one for each workload and
contender."""
import json


class Row:
    """One workload. Times are medians, in seconds; what was not measured is None."""

    def __init__(self, line):
        self.name, self.title = line["workload"], line["title"]
        self.bytes = line["bytes_read"] + line["bytes_written"]
        self.bar_of_peer, self.bar_of_limit = line["bar_of_peer"], line["bar_of_limit"]
        self.bar_seconds, self.two_threads_judged = line["bar_seconds"], line["two_threads_judged"]
        self.ours = self.two_threads = self.limit = self.limit_two_threads = self.best_peer = None
        self.best_peer_name = ""
        self.samples = line["samples"]

    def add(self, who, median):
        if who == "goldml":
            self.ours = median
        elif who == "goldml, 2 threads":
            self.two_threads = median
        elif who == "limit":
            self.limit = median
        elif who == "limit, 2 threads":
            self.limit_two_threads = median
        elif self.best_peer is None or median < self.best_peer:
            self.best_peer, self.best_peer_name = median, who

    # Whether the workload is limited by memory.
    def is_large(self):
        return self.bytes >= 1 << 20

    def bars(self):
        """(figure, bar, whether it is met) for each figure that was measured; bar is None for one without a target."""
        of_peer = self.best_peer and self.ours / self.best_peer
        far_ahead = of_peer is not None and of_peer <= 0.5  # then the limit is no target
        bar_two_threads = None
        if self.two_threads_judged and self.limit_two_threads:
            bar_two_threads = round(self.limit_two_threads / self.limit + 0.1, 2)
        held = {
            "of_peer": (of_peer, self.bar_of_peer, "at most"),
            "of_limit": (self.limit and self.limit / self.ours, None if far_ahead else self.bar_of_limit, "at least"),
            "seconds": (self.ours, self.bar_seconds, "at most"),
            "two_threads": (self.two_threads and self.two_threads / self.ours, bar_two_threads, "at most"),
        }
        return {
            key: (figure, bar, bar is None or (figure <= bar if sense == "at most" else figure >= bar))
            for key, (figure, bar, sense) in held.items()
            if figure is not None
        }


def load(path):
    """(machine, rows) in the order of the file."""
    machine, rows = None, {}
    with open(path) as lines:
        for line in map(json.loads, lines):
            if "machine" in line:
                machine = line["machine"]
            else:
                rows.setdefault(line["workload"], Row(line)).add(line["who"], line["median"])
    if machine is None or not rows:
        raise SystemExit(f"{path}: no line about the machine, or no results")
    return machine, list(rows.values())
