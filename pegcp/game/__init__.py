"""Boards, positions, problems and goals, and the checker that replays every answer."""
