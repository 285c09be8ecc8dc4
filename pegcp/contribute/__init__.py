"""Kits for others: peg solitaire in the form in which a library of problems or a test suite takes it.

A kit is a folder in ``files/`` whose templates are filled in, together with texts that pegcp writes. It stands beside
everything else: nothing but the command ``pegcp contribute`` uses it.
"""
