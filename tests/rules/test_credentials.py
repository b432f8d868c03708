"""What looks like a credential: passwords that people make up, headers, and passwords in commands."""

from __future__ import annotations

import pytest

from graphwright.analysis.credentials import credential, is_suspicious


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("password", "admin"),
        ("password", "s3cr"),
        ("Authorization", "Bearer abc.def.ghi"),
        ("authorization", "Bearer aB3dE5gH"),
        ("header", "Authorization: Bearer eyAbcdEfgh"),
        ("auth", "Basic dXNlcjpwYXNz"),
        ("command", "curl -H 'Authorization: Basic dXNlcjpwYXNz' localhost"),
        ("command", "PGPASSWORD=hunter2 psql app"),
        ("command", "deploy --password=hunter2"),
        ("command", "deploy --password='hunter2' now"),
        ("command", "curl -u bob:hunter2 https://localhost"),
        ("command", "curl --user bob:hunter2 https://localhost"),
        ("command", "curl -u 'bob:hunter2' https://localhost"),
    ],
)
def test_credentials(name: str, value: str) -> None:
    assert credential(name, value) is not None
    assert is_suspicious(f"{name}: {value}")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("pwd", "build"),
        ("password", "aaaa"),
        ("password", "none"),
        ("password", "yes sir"),
        ("text", "Bearer authentication."),
        ("text", "the bearer of this letter"),
        ("text", "Basic authentication"),
        ("auth", "Basic ${inputs.credentials}"),
        ("note", "PASSWORD=hunter2"),
        ("command", "PGPASSWORD=$SECRET psql app"),
        ("command", 'PGPASSWORD="$SECRET" psql app'),
        ("command", "PGPASSWORD=$(pass show db) psql app"),
        ("command", "curl -u bob:$SECRET https://localhost"),
        ("command", "curl -u ${inputs.user | quote}:${inputs.secret | quote} https://localhost"),
        ("command", "docker run -u 1000:1000 image"),
        ("command", "docker run --user node:node image"),
        ("command", "curl -u https://localhost:8080/path"),
        ("command", "grep password= config.ini"),
        ("command", "psql --no-password"),
    ],
)
def test_no_credentials(name: str, value: str) -> None:
    assert credential(name, value) is None
