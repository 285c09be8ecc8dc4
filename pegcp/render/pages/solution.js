// The page of one solution.
if (player) player.open(data.runs[0]);
