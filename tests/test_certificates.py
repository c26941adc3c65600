"""Certificates of a cluster: made by deploy/tls, and each part of an installation reads its own only."""

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

pytestmark = pytest.mark.processes

REPOSITORY = Path(__file__).resolve().parents[1]
DEPLOY = REPOSITORY / "deploy"
SCRIPT = DEPLOY / "tls" / "make_certificates.sh"
README = (DEPLOY / "docker" / "README.md").read_text()
SERVICES = yaml.safe_load((DEPLOY / "docker" / "compose.yaml").read_text())["services"]
PARTS = ("scheduler", "worker", "flow")
IMAGE_USER = "10001"


def make(folder: Path, *names: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(SCRIPT), str(folder), *names], capture_output=True, text=True, check=False, umask=0o022
    )


def own_files(part: str) -> set[str]:
    return {"ca.pem", f"{part}.pem", f"{part}-key.pem"}


def mounts(service: str) -> dict[str, str]:
    """Return what a service of compose.yaml sees of its machine: path there, path in the container."""
    return {
        volume["source"]: volume["target"]
        for volume in SERVICES[service]["volumes"]
        if isinstance(volume, dict) and volume["read_only"]
    }


@pytest.mark.parametrize("names", [["ca"], ["../escape"], ["a b"], ["worker", "worker-key"], []])
def test_names_that_make_no_certificate_are_refused(tmp_path: Path, names: list[str]) -> None:
    done = make(tmp_path / "tls", *names)
    assert done.returncode == 1
    assert "error:" in done.stderr
    assert not (tmp_path / "tls").exists()


def test_keys_are_their_owners_and_the_authoritys_lies_apart(tmp_path: Path) -> None:
    folder = tmp_path / "tls"
    for _ in range(2):  # the second time the authority is kept
        assert make(folder, "worker", "flow").returncode == 0
    modes = {
        str(path.relative_to(folder)): path.stat().st_mode & 0o777
        for path in folder.rglob("*")
        if path.name != "ca.srl"
    }
    assert modes == {
        "authority": 0o700,
        "authority/ca-key.pem": 0o600,
        "ca.pem": 0o644,
        "worker.pem": 0o644,
        "worker-key.pem": 0o600,
        "flow.pem": 0o644,
        "flow-key.pem": 0o600,
    }
    verify = ["openssl", "verify", "-CAfile", "ca.pem", "worker.pem", "flow.pem"]
    subprocess.run(verify, cwd=folder, check=True, capture_output=True)


@pytest.mark.parametrize("lost", ["authority/ca-key.pem", "ca.pem"])
def test_half_an_authority_is_not_replaced(tmp_path: Path, lost: str) -> None:
    assert make(tmp_path, "worker").returncode == 0
    (tmp_path / lost).unlink()
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.pem")}
    done = make(tmp_path, "worker")
    assert done.returncode == 1
    assert str(tmp_path) in done.stderr
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.pem")} == before


def test_what_openssl_says_of_an_error_is_shown(tmp_path: Path) -> None:
    assert make(tmp_path, "worker").returncode == 0
    (tmp_path / "authority" / "ca-key.pem").write_text("no key")
    before = (tmp_path / "worker-key.pem").read_bytes()
    done = make(tmp_path, "worker")
    assert done.returncode == 1
    assert "openssl x509 failed" in done.stderr
    assert "authority/ca-key.pem" in done.stderr
    assert (tmp_path / "worker-key.pem").read_bytes() == before  # which still fits its certificate


def test_each_service_of_compose_sees_its_own_files_alone() -> None:
    for name in SERVICES:
        expected = own_files(name) if name in PARTS else set()
        assert mounts(name) == {f"./certificates/{file}": f"/certificates/{file}" for file in expected}
        told = json.dumps(SERVICES[name])
        assert set(re.findall(r"/certificates/([\w.-]+)", told)) == expected
    assert not any("certificates" in str(volume) for volume in SERVICES["api"]["volumes"])


def test_each_pod_sees_its_own_files_alone() -> None:
    found = {}
    for path in (DEPLOY / "kubernetes").glob("*.yaml"):
        for manifest in yaml.safe_load_all(path.read_text()):
            pod = manifest.get("spec", {}).get("template", {}).get("spec", {})
            for volume in pod.get("volumes", []):
                if "secret" in volume:
                    items = volume["secret"]["items"]
                    assert all(item["key"] == item["path"] for item in items)
                    found[manifest["metadata"]["name"]] = {item["key"] for item in items}
    assert found == {
        "scheduler": own_files("scheduler"),
        "worker": own_files("worker"),
        "skysieve": own_files("flow"),
    }


def test_the_user_of_the_image_can_read_what_is_mounted(tmp_path: Path) -> None:
    """Run the commands of the README, then do with the kernel what the container's runtime does."""
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("needs root and setpriv, to become the user of the image")
    may_mount = subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False)
    if may_mount.returncode != 0:
        pytest.skip(f"needs a mount namespace of its own: {may_mount.stderr!r}")
    one_machine = README.partition("\n## ")[0]
    for line in re.findall(r"^    (.*(?:make_certificates\.sh|chown).*)$", one_machine, re.MULTILINE):
        command = line.replace("../tls/make_certificates.sh", str(SCRIPT)).removeprefix("sudo ")
        subprocess.run(["bash", "-euc", command], cwd=tmp_path, check=True, capture_output=True)
    for part in PARTS:
        script = ["set -eu; mount -t tmpfs -o mode=755 none /mnt; mkdir -m 755 /mnt/certificates"]
        for source, target in mounts(part).items():
            script.append(f"touch /mnt{target}; mount --bind {shlex.quote(source)} /mnt{target}")
        become = f"setpriv --reuid {IMAGE_USER} --regid {IMAGE_USER} --clear-groups --no-new-privs"
        read = f"cat {' '.join(f'/mnt{target}' for target in mounts(part).values())}"
        script.append(f"exec {become} --bounding-set=-all --inh-caps=-all {read}")
        seen = subprocess.run(
            ["unshare", "--mount", "sh", "-c", "\n".join(script)],
            cwd=tmp_path,
            capture_output=True,
            check=True,
        )
        assert seen.stdout.count(b"-----BEGIN ") == 3


def test_git_takes_no_certificates() -> None:
    if shutil.which("git") is None or not (REPOSITORY / ".git").exists():
        pytest.skip("needs a working copy and git")
    for folder in ("certificates", "deploy/docker/certificates"):
        ignored = ["git", "check-ignore", "--quiet", f"{folder}/authority/ca-key.pem"]
        assert subprocess.run(ignored, cwd=REPOSITORY, check=False).returncode == 0
