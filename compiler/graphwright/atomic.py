"""Files that are replaced as a whole: a reader sees the old content or the new, a crash leaves one of them."""

from __future__ import annotations

import os
from pathlib import Path


def replace_file(file: Path, data: bytes) -> None:
    """Put `data` where `file` is, keeping its permissions; behind a symbolic link, where the link leads."""
    import tempfile  # writing is rare, and this import is not cheap

    target = file.resolve()
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:32]}.", dir=target.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        temporary.chmod(target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _umask() -> int:
    """The mask that new files get; there is no way to read it but to set it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask
