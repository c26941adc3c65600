"""Settings come from SKYSIEVE_ variables, and a wrong one is named."""

from pathlib import Path

import pytest
from pydantic import Field

from screening.errors import UsageError
from storage.settings import StoreSettings, load_settings


class HoursSettings(StoreSettings):
    refresh_hours: float = Field(default=6.0, gt=0)


def test_paths_are_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SKYSIEVE_STORE", raising=False)
    monkeypatch.chdir(tmp_path)
    assert load_settings(StoreSettings).store == tmp_path / "skysieve-store"
    monkeypatch.setenv("SKYSIEVE_STORE", "elsewhere/store")
    monkeypatch.setenv("SKYSIEVE_KERNEL_CACHE", "~/kernels")
    settings = load_settings(StoreSettings)
    assert settings.store == tmp_path / "elsewhere" / "store"
    assert settings.kernel_cache == Path.home() / "kernels"


def test_a_wrong_value_is_named_with_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKYSIEVE_REFRESH_HOURS", "often")
    with pytest.raises(UsageError, match=r"SKYSIEVE_REFRESH_HOURS=often: .*number"):
        load_settings(HoursSettings)
    monkeypatch.setenv("SKYSIEVE_REFRESH_HOURS", "-1")
    with pytest.raises(UsageError, match=r"SKYSIEVE_REFRESH_HOURS=-1: .*greater than 0"):
        load_settings(HoursSettings)


def test_every_setting_is_described() -> None:
    assert all(field.description for field in StoreSettings.model_fields.values())
