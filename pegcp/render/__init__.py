"""Texts, tables and pages of boards and solutions."""
