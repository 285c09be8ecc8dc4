"""Writes the screenshots of the page into ``docs/pictures``; needs the extra play and the group browser-test.

python docs/make_screenshots.py
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

from selenium import webdriver

PICTURES = Path(__file__).parent / "pictures"
SIZES = {"play": (1240, 780, "light"), "play-phone": (390, 800, "dark")}
JUMPS = [("d2", "d4"), ("b3", "d3"), ("c1", "c3")]


def main() -> None:
    """Play some jumps of the central game and take pictures of the page."""
    command = [sys.executable, "-m", "pegcp", "play", "english", "--port", "0", "--no-browser"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    link = server.stdout.readline().strip()
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for option in ("--headless=new", "--no-sandbox", "--hide-scrollbars"):
        options.add_argument(option)
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    try:
        for name, (width, height, scheme) in SIZES.items():
            metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            browser.get("about:blank")
            browser.get(link)
            for jump in JUMPS:
                for hole in jump:
                    group = browser.find_element("css selector", f'#board [aria-label^="{hole},"]')
                    webdriver.ActionChains(browser).move_to_element(group).click().perform()
            while browser.find_element("id", "standing").text.startswith("Not known yet"):
                time.sleep(0.2)
            browser.find_element("id", "glow").click()
            time.sleep(0.5)  # until the last jump has been seen to be made
            browser.save_screenshot(str(PICTURES / f"{name}.png"))
            print(PICTURES / f"{name}.png")
    finally:
        browser.quit()
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
