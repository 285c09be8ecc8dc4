/* Draws the plan of a peg solitaire problem: a line for each action, as VS Code's PDDL extension asks for. */
function visualizePlanHtml(plan, width) {
  const rows = plan.steps.map((step, number) => {
    const words = (step.fullActionName || step.actionName + " " + step.objects.join(" ")).split(" ");
    const [from, over, to] = words.slice(1);
    const text = to === undefined ? words.join(" ") : `${from} jumps over ${over} to ${to}`;
    return `<tr><td>${number + 1}</td><td>${text}</td></tr>`;
  });
  return `<table style="max-width: ${width}px">${rows.join("")}</table>`;
}

module.exports = { visualizePlanHtml };
