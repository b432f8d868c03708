"""The object store of a project: JSON values as files that are called by the sha256 of their canonical bytes."""

from __future__ import annotations

import hashlib
from pathlib import Path

from graphwright_runtime.durable.canonical import canonical, parsed
from graphwright_runtime.durable.layout import objects_folder, replace_file
from graphwright_runtime.errors import RefusedError
from graphwright_runtime.values import Json


class Objects:
    """Puts values in and gets them out; what comes out is what its name says."""

    def __init__(self, project: Path) -> None:
        self._folder = objects_folder(project)

    def put(self, value: object) -> str:
        """Keep a value; its hash. Raises OSError, and ValueError for what cannot be written as JSON."""
        data = canonical(value)
        name = hashlib.sha256(data).hexdigest()
        file = self._file(name)
        if not _holds(file, data):
            replace_file(file, data)
        return name

    def get(self, name: str) -> Json:
        """The value of a hash. Raises RefusedError where it is missing or is another one."""
        file = self._file(name)
        try:
            data = file.read_bytes()
        except OSError as error:
            raise RefusedError(f"the object {file} cannot be read: {error.strerror}") from error
        if hashlib.sha256(data).hexdigest() != name:
            raise RefusedError(f"the object {file} was changed: its sha256 is not its name")
        return parsed(data)

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.json"


def _holds(file: Path, data: bytes) -> bool:
    """Whether a file is there, and undamaged."""
    try:
        return file.read_bytes() == data
    except OSError:
        return False
