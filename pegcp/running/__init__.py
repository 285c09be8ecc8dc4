"""Runs one method on one problem in a child process, within limits, and judges its answer."""
