// What every page needs: its data, light or dark.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

byId("look").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.look ? root.dataset.look === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.look = dark ? "light" : "dark";
});
