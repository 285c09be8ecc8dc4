"""Positions in bulk: levels, hash tables, the state graph."""
