"""Result files: one JSON object per line, appended and flushed to disk one by one."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from pegcp.errors import InputError


class Appender:
    """Appends results to a file so that a crash at any moment loses at most the line being written."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            self._fd = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise InputError(f"cannot write results: {error.strerror}", source=str(path)) from None

    def __enter__(self) -> Appender:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._fd)

    def append(self, data: Mapping[str, Any]) -> None:
        """Add a line and wait until it is on disk."""
        os.write(self._fd, (json.dumps(data, ensure_ascii=False) + "\n").encode())
        os.fsync(self._fd)
