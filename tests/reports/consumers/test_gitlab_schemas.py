"""GitLab's own schemas. No package carries them: they are fetched from GitLab, or lie in the folder
that IRSAN_GITLAB_SCHEMAS names, as `sast-report-format.json` and `codeclimate.json`."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import jsonschema
import pytest

from irsan.reports.formats.gitlab import SAST_VERSION
from irsan.reports.renderers import renderer
from tests.reports import samples
from tests.reports.consumers.environments import consumers_folder
from tests.reports.of_catalogue import findings_of_catalogue

VARIABLE = "IRSAN_GITLAB_SCHEMAS"
TIMEOUT_S = 30
_GITLAB = "https://gitlab.com/gitlab-org"
SOURCES = {
    "sast-report-format.json": f"{_GITLAB}/security-products/security-report-schemas/-/raw/"
                               f"v{SAST_VERSION}/dist/sast-report-format.json",
    "codeclimate.json": f"{_GITLAB}/gitlab/-/raw/master/app/validators/json_schemas/"
                        "codeclimate.json",
}  # fmt: skip


def schema(name: str) -> Any:
    named = os.environ.get(VARIABLE)
    path = (Path(named) if named else consumers_folder()) / name
    if not named and not path.exists():
        try:
            with urlopen(SOURCES[name], timeout=TIMEOUT_S) as answer:
                path.write_bytes(answer.read())
        except OSError as error:
            pytest.skip(f"{name} cannot be fetched ({error}); {VARIABLE} may name a folder with it")
    if not path.exists():
        pytest.skip(f"{path} does not exist")
    return json.loads(path.read_text())


def value_of(name: str) -> Any:
    report = samples.report(*findings_of_catalogue().values())
    return json.loads(renderer(name)(replace(report, root="/src")))


def test_sast() -> None:
    checked = schema("sast-report-format.json")
    jsonschema.Draft7Validator(checked).validate(value_of("gitlab-sast"))


def test_code_quality() -> None:
    issue = schema("codeclimate.json")
    for each in value_of("gitlab"):
        jsonschema.Draft7Validator(issue).validate(each)
