"""Storage that makes reads wait although the system says that it has the bytes in memory."""
import json
import os

from outcrop_run import SceneTest, main


class SlowReads(SceneTest):
    def report(self, env):
        run = self.invert("--memory", "64M", "--tile", "8x120", "--report", "report.json", env=env)
        self.assertEqual(run.code, 0, run.stderr)
        with open(self.path("report.json"), encoding="utf-8") as file:
            return json.load(file)

    def fetched_share(self, report):
        return report["stages"]["read"]["bytes"] / report["bytes"]["read"]

    def test_workers_stop_reading_where_that_waits(self):
        self.write_signal(400, 120)
        before = self.report({})
        quick = self.product_hashes()
        slow = self.report({"LD_PRELOAD": os.environ["OUTCROP_SLOW_READS"]})
        self.assertEqual(slow["bytes"]["read"], before["bytes"]["read"])
        self.assertEqual(self.product_hashes(), quick)
        self.assertGreater(self.fetched_share(slow), 0.7)


if __name__ == "__main__":
    main()
