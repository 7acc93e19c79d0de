"""Opens the page of --quicklook in headless Chromium, without a network, and asks whether every picture is shown.

Skipped (77) where Chromium is not installed. With QUICKLOOK_SCREENSHOT=FILE.png the picture of the page stays there.
"""
import os
import re
import shutil
import subprocess
import sys

from outcrop_run import main, outcrop
from quicklook_page import PageReader, png_size
from topography_run import TopographyTest

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

# Written behind a copy of the page: what the browser made of each picture, in an attribute that is dumped.
PROBE = """<script>
window.addEventListener("load", () => {
  const loaded = [...document.images].map(i => `${i.getAttribute("src")}:${i.complete && i.naturalWidth > 0}`);
  document.body.setAttribute("data-loaded", loaded.join(" "));
  document.body.setAttribute("data-overflow", document.documentElement.scrollWidth > window.innerWidth);
});
</script>
"""


class Browser(TopographyTest):
    def browse(self, *arguments):
        run = subprocess.run([BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                              "--hide-scrollbars", f"--user-data-dir={self.path('profile')}", "--proxy-server=127.0.0.1:9",
                              *arguments], capture_output=True, text=True, errors="replace", timeout=120, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        return run.stdout

    def make_page(self, step, *arguments):
        run = outcrop(step, *arguments, "--quicklook", f"maps-{step}", cwd=self.path("scene"))
        self.assertEqual(run.code, 0, run.stderr)
        return self.path("scene", f"maps-{step}")

    def assert_pictures_load(self, folder):
        with open(os.path.join(folder, "index.html"), encoding="utf-8") as file:
            source = file.read()
        with open(os.path.join(folder, "probe.html"), "w", encoding="utf-8") as file:
            file.write(source.replace("</body>", PROBE + "</body>"))
        dom = self.browse("--dump-dom", "--virtual-time-budget=5000", f"file://{folder}/probe.html")
        loaded = re.search(r'data-loaded="([^"]*)"', dom).group(1).split()
        names = [image["src"] for image in PageReader(os.path.join(folder, "index.html")).images]
        self.assertEqual(loaded, [f"{name}:true" for name in names])
        self.assertEqual(len(names), 5)
        self.assertIn('data-overflow="false"', dom)

    def assert_screenshot(self, folder, name):
        shot = self.path(name)
        self.browse(f"--screenshot={shot}", "--window-size=1280,2200", f"file://{folder}/index.html")
        self.assertEqual(png_size(shot), (1280, 2200))
        if "QUICKLOOK_SCREENSHOT" in os.environ:
            base, ending = os.path.splitext(os.environ["QUICKLOOK_SCREENSHOT"])
            shutil.copy(shot, f"{base}-{name.split('.')[0]}{ending}")

    def test_every_picture_of_both_steps_is_shown(self):
        run = outcrop("simulate", "scene", "--rows", "300", "--cols", "400", "--dates", "30", "--water", "250,300,340,400",
                      "--nan", "0.01", cwd=self.folder, timeout=120)
        self.assertEqual(run.code, 0, run.stderr)
        first = self.make_page("invert-network", "inputs/ifgramStack.h5", "--water-mask", "waterMask.h5")
        second = self.make_page("correct-topography", "timeseries.h5", "-g", "inputs/geometryRadar.h5")
        for folder, name in ((first, "invert.png"), (second, "topography.png")):
            self.assert_pictures_load(folder)
            self.assert_screenshot(folder, name)


if __name__ == "__main__":
    if BROWSER is None:
        print("skipped: no chromium here (Debian: apt-get install chromium)")
        sys.exit(77)
    main()
