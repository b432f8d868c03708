"""The object store of a project: JSON values in files named by the sha256 of their canonical bytes."""

from __future__ import annotations

import hashlib
from pathlib import Path

from graphwright_runtime.content import content_of, regular_file
from graphwright_runtime.durable.canonical import canonical, parsed
from graphwright_runtime.durable.layout import objects_folder, replace_file
from graphwright_runtime.errors import RefusedError
from graphwright_runtime.values import Json


class Objects:
    """Stores and retrieves values. Retrieved values are verified."""

    def __init__(self, project: Path) -> None:
        self._folder = objects_folder(project)

    def put(self, value: object) -> str:
        """Store a value and return its hash. Raises OSError, and ValueError if it cannot be written as JSON."""
        data = canonical(value)
        name = hashlib.sha256(data).hexdigest()
        file = self._file(name)
        if not _holds(file, data):
            replace_file(file, data)
        return name

    def get(self, name: str, what: str = "an object") -> Json:
        """The value with a hash. Raises RefusedError, calling it `what`, if it is missing or its content differs."""
        file = self._file(name)
        try:
            with regular_file(file) as opened:
                if hashlib.file_digest(opened, "sha256").hexdigest() != name:
                    raise RefusedError(f"{file} ({what}) was changed: its sha256 is not its name")
                opened.seek(0)
                data = opened.read()
        except FileNotFoundError:
            raise RefusedError(f"{file} ({what}) is missing") from None
        except OSError as error:
            raise RefusedError(f"{file} ({what}) cannot be read: {error.strerror}") from error
        if hashlib.sha256(data).hexdigest() != name:
            raise RefusedError(f"{file} ({what}) was changed while it was read")
        return parsed(data)

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.json"


def _holds(file: Path, data: bytes) -> bool:
    """Whether a file exists with exactly this content."""
    try:
        return content_of(file, len(data)) == data
    except OSError:
        return False
