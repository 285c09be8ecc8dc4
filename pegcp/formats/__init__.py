"""Reading and writing: TOML descriptions, solution files, PDDL."""
