"""Tests of the command model: the published scenes as JSON, fits, predictions, the page, and what is refused."""
import json
import os

from outcrop_run import SceneTest, main, outcrop

MACHINE = os.path.join(os.path.dirname(__file__), "..", "..", "configs", "machines", "rtx5080-published.toml")

PUBLISHED = [("Kuju", 226000, 24, 4, 9.14, 3.61, 2.53, "A"), ("SanFranSF", 260000, 114, 4, 9.32, 3.84, 2.43, "A"),
             ("Fernandina", 270000, 98, 6, 11.15, 4.36, 2.56, "A"),
             ("SanFranBay", 326000, 333, 4, 14.53, 8.23, 1.76, "B"),
             ("Galapagos", 3400000, 98, 4, 163.83, 26.66, 6.15, "C")]


class ModelTest(SceneTest):
    def model(self, *arguments):
        run = outcrop("model", *arguments, cwd=self.folder)
        self.assertEqual(run.code, 0, run.stderr)
        return run.stdout

    def json(self, *arguments):
        return json.loads(self.model(*arguments, "--json"))


class Table(ModelTest):
    def test_the_published_scenes_are_rows_with_the_promised_keys(self):
        rows = self.json("table", "--machine", MACHINE)["rows"]
        self.assertEqual(len(rows), 5)
        for row, (name, pixels, dates, columns, host, device, sigma, regime) in zip(rows, PUBLISHED):
            self.assertTrue(row["scene"].startswith(name))
            self.assertEqual((row["K"], row["D"], row["P"], row["regime"]), (pixels, dates, columns, regime))
            self.assertEqual((row["t_cpu_s"], row["t_gpu_s"]), (host, device))
            self.assertAlmostEqual(row["sigma"], sigma, delta=0.01)
            self.assertAlmostEqual(row["predicted"]["sigma"] / sigma, 1, delta=0.3)

    def test_what_does_not_follow_from_the_formula_is_marked(self):
        rows = self.json("table")["rows"]
        self.assertEqual([row["follows"]["regime"] for row in rows], [True, True, True, True, False])
        self.assertEqual([row["follows"]["t_cpu_s"] for row in rows], [True, False, True, True, False])
        self.assertEqual(rows[4]["predicted"]["regime"], "B")
        self.assertIn("does not follow", self.model("table"))

    def test_the_page_is_one_file_without_links(self):
        self.model("table", "--html", "page.html")
        with open(self.path("page.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertEqual(page.count("<svg"), 2)
        self.assertIn("the reference machine", page)
        self.assertNotIn("href=", page)


    def test_the_page_draws_the_stages_of_a_measured_machine(self):
        with open(os.path.join(os.path.dirname(MACHINE), "reference.toml"), encoding="utf-8") as file:
            text = file.read().replace("start_s = 0.1", "start_s = 5")
        with open(self.path("mine.toml"), "w", encoding="utf-8") as file:
            file.write(text)
        self.model("table", "--html", "page.html", "--rates", "mine.toml")
        with open(self.path("page.html"), encoding="utf-8") as file:
            self.assertIn("the rates of mine.toml", file.read())
        self.assert_refused(outcrop("model", "table", "--html", "p.html", "--rates", "no.toml", cwd=self.folder), "no.toml")


class Fit(ModelTest):
    def test_the_published_scenes_do_not_determine_the_device(self):
        fit = self.json("fit")
        self.assertTrue(fit["host"]["coefficients"]["alpha_s"]["determined"])
        for coefficient in fit["device"]["coefficients"].values():
            self.assertFalse(coefficient["determined"])
        self.assertIn("not determined", self.model("fit"))

    def test_a_fit_is_written_as_a_machine_file_that_the_table_reads(self):
        self.model("fit", "--hold", "epsilon_s=1e-12", "beta_s=0", "-o", "mine.toml")
        rows = self.json("table", "--machine", "mine.toml")["rows"]
        self.assertEqual(len(rows), 5)

    def test_a_run_report_is_fitted_and_one_run_determines_nothing(self):
        self.write_signal(4, 5)
        self.invert_well("--report", "run.json")
        with open(self.path("run.json"), encoding="utf-8") as file:
            report = json.load(file)
        self.assertEqual(set(report["problem"]), {"dates", "pairs", "parameters"})
        fit = self.json("fit", "--report", "run.json")
        self.assertNotIn("device", fit)
        self.assertEqual(fit["host"]["times"], 1)
        for coefficient in fit["host"]["coefficients"].values():
            self.assertEqual((coefficient["determined"], coefficient["low"]), (False, None))


class Numbers(ModelTest):
    def test_predictions_are_made_for_all_combinations(self):
        rows = self.json("predict", "-K", "226k", "3.4M", "-D", "98", "333", "-P", "4")["rows"]
        self.assertEqual(len(rows), 4)
        self.assertAlmostEqual(rows[1]["t_cpu_s"], 137.6, delta=0.1)
        self.assertEqual(rows[0]["crossover_K"], 75000)

    def test_another_storage_changes_sigma_by_the_measured_ratio(self):
        sizes = ("-K", "270k", "-D", "98", "-P", "6")
        here = self.json("predict", *sizes)["rows"][0]["sigma"]
        there = self.json("predict", *sizes, "--storage", "NAS")["rows"][0]["sigma"]
        self.assertAlmostEqual(there / here, (7.45 / 7.64) / (11.15 / 4.36), places=6)

    def test_a_continent_is_predicted(self):
        row = self.json("predict", "--pixels", "1e9", "--dates", "1500", "--columns", "299")["rows"][0]
        self.assertGreater(row["t_cpu_s"], 1e7)

    def test_the_regime_comes_with_its_terms(self):
        row = self.json("regime", "-K", "326k", "-D", "333", "-P", "4")["rows"][0]
        self.assertEqual(row["regime"], "B")
        self.assertAlmostEqual(row["K_delta_D_P_s"], 5.21, delta=0.01)
        self.assertIn("transition", self.model("regime", "-K", "326k", "-D", "333", "-P", "4"))

    def test_a_step_is_projected(self):
        self.assertTrue(self.json("project", "--flops", "1568", "--bytes", "1568")["worth_it"])
        self.assertFalse(self.json("project", "--flops", "1", "--bytes", "1e6")["worth_it"])
        self.assertIn("worth a port", self.model("project", "--flops", "1568", "--bytes", "1568"))

    def test_prefixes_of_long_flags_work_in_the_parts(self):
        self.assertEqual(self.json("predict", "--pix", "1k", "--dat=98", "--col", "4")["rows"][0]["K"], 1000)


class Refusals(ModelTest):
    def test_nonsense_is_refused_with_one_sentence(self):
        cases = [(["predict", "-K", "0", "-D", "98", "-P", "4"], "--pixels 0"),
                 (["predict", "-K", "nan", "-D", "98", "-P", "4"], "--pixels nan"),
                 (["predict", "-K", "1", "-D", "98"], "columns"),
                 (["predict", "-K", "1", "-D", "98", "-P", "4", "--storage", "tape"], "only NAS"),
                 (["regime", "-K", "1", "-D", "98", "-P", "4", "--factor", "0.5"], "factor"),
                 (["project", "--flops", "nan", "--bytes", "1"], "flops"),
                 (["fit", "--hold", "alpha=1"], "alpha_s"), (["fit", "--hold", "beta_s"], "beta_s=SECONDS"),
                 (["fit", "--hold", "beta_s=0", "--hold", "beta_s=1"], "beta_s is given twice"),
                 (["fit", "--report", "absent.json"], "cannot be read"),
                 (["table", "--machine", "absent.toml"], "cannot be read"),
                 (["tabel"], "the nearest is table"), (["table", "--html", "absent/page.html"], "absent/page.html"),
                 ([], "subcommand")]
        for arguments, words in cases:
            with self.subTest(arguments):
                self.assert_refused(outcrop("model", *arguments, cwd=self.folder), words)

    def test_help_shows_examples(self):
        for part in ([], ["fit"], ["predict"], ["table"], ["project"], ["regime"]):
            text = self.model(*part, "--help")
            self.assertIn("Examples:", text)


if __name__ == "__main__":
    main()
