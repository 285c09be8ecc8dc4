"""What is played: boards, positions, problems, and the checker that replays every answer."""
