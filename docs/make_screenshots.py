"""Writes the screenshots of the page into ``docs/pictures``; needs the group browser-test, Chromium and its driver.

python docs/make_screenshots.py
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

from selenium import webdriver

import pegcp
from pegcp.play.page import html

PICTURES = Path(__file__).parent / "pictures"
SIZES = {"play": (1240, 860, "light"), "play-phone": (390, 860, "dark")}
GAME = "english:d4&after=d2-d4+b3-d3+c1-c3"


def main() -> None:
    """Open the page after some jumps of the central game and take pictures of it."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for option in ("--headless=new", "--no-sandbox", "--hide-scrollbars"):
        options.add_argument(option)
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        page.write_text(html(pegcp.problem("english")), encoding="utf-8")
        try:
            for name, (width, height, scheme) in SIZES.items():
                metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
                browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
                features = [{"name": "prefers-color-scheme", "value": scheme}]
                browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
                browser.get("about:blank")
                browser.get(f"{page.as_uri()}#{GAME}")
                while browser.find_element("id", "standing").text.startswith("Searching"):
                    time.sleep(0.2)
                browser.find_element("id", "marks").click()
                browser.save_screenshot(str(PICTURES / f"{name}.png"))
                print(PICTURES / f"{name}.png")
        finally:
            browser.quit()


if __name__ == "__main__":
    main()
