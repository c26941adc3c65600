"""The files of deploy/ are valid, agree with each other and the program, and their commands work together."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Event

import httpx
import kubernetes_validate
import pytest
import yaml

from api.settings import ApiSettings
from flows.cluster.ports import free_port

REPOSITORY = Path(__file__).resolve().parents[1]
DEPLOY = REPOSITORY / "deploy"
KUBERNETES_VERSIONS = ("1.30", "1.37")
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
TEXTS = sorted(
    path for path in DEPLOY.rglob("*") if path.suffix in {".yaml", ".service"} or path.name == "Dockerfile"
)
COMPOSE = yaml.safe_load((DEPLOY / "docker" / "compose.yaml").read_text())
SERVICES = COMPOSE["services"]
ALERTS = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yaml").read_text())
MACHINES = yaml.safe_load((DEPLOY / "docker" / "machines.yaml").read_text())["services"]
KUSTOMIZATION = DEPLOY / "kubernetes" / "kustomization.yaml"
MANIFESTS = sorted(set(KUSTOMIZATION.parent.glob("*.yaml")) - {KUSTOMIZATION})


def manifests() -> Iterator[dict[str, object]]:
    for path in MANIFESTS:
        yield from yaml.safe_load_all(path.read_text())


def containers() -> dict[str, dict[str, object]]:
    """Return the containers of all Kubernetes workloads by name."""
    specs = [m["spec"]["template"]["spec"] for m in manifests() if "template" in m["spec"]]  # type: ignore[index,operator]
    return {container["name"]: container for spec in specs for container in spec["containers"]}


def unit_command(path: Path) -> list[str]:
    (line,) = re.findall(r"^ExecStart=(.*)$", path.read_text(), re.MULTILINE)
    return shlex.split(line)


@pytest.mark.slow
@pytest.mark.parametrize("version", KUBERNETES_VERSIONS)
def test_the_manifests_are_what_kubernetes_knows(version: str) -> None:
    found = list(manifests())
    assert len(found) > 5
    for manifest in found:
        kubernetes_validate.validate(
            manifest, version, strict=True
        )  # a field that it does not know is an error


def test_the_kustomization_has_every_manifest_and_this_releases_image() -> None:
    kustomization = yaml.safe_load(KUSTOMIZATION.read_text())
    assert kustomization["resources"] == [path.name for path in MANIFESTS]
    (image,) = kustomization["images"]
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    assert (image["newName"], image["newTag"]) == (image["name"], project["version"])
    for container in containers().values():
        assert container["image"] == f"{image['name']}:{image['newTag']}"
        assert container["imagePullPolicy"] == "IfNotPresent"
    assert image["name"].split(".", 1)[1].startswith("example.com/")  # nobody's, so nothing is pulled from it


@pytest.mark.processes
def test_kubectl_puts_an_image_of_ones_own_everywhere(tmp_path: Path) -> None:
    if shutil.which("kubectl") is None:
        pytest.skip("needs kubectl")
    folder = tmp_path / "kubernetes"
    shutil.copytree(KUSTOMIZATION.parent, folder)
    (folder / KUSTOMIZATION.name).write_text(
        KUSTOMIZATION.read_text().replace("newName: registry.example.com/", "newName: registry.test/a/")
    )
    built = subprocess.run(["kubectl", "kustomize", str(folder)], capture_output=True, text=True, check=True)
    assert len(list(yaml.safe_load_all(built.stdout))) == len(list(manifests()))
    images = re.findall(r"image: registry\.test/a/skysieve:", built.stdout)
    assert len(images) == built.stdout.count(" image: ") == len(containers())


def test_workers_of_several_machines_can_be_reached() -> None:
    assert MACHINES.keys() == {"scheduler", "worker"}
    worker = MACHINES["worker"]
    assert worker["network_mode"] == "host"
    (known,) = worker["extra_hosts"]
    host, address = known.split(":", 1)
    assert f"tls://{host}:8786" in SERVICES["worker"]["command"]
    (published,) = MACHINES["scheduler"]["ports"]
    assert address == "${SCHEDULER_ADDRESS}"
    assert re.fullmatch(r"\$\{SCHEDULER_ADDRESS:\?[^}]+\}:8786:8786", published)
    assert "ports" not in SERVICES["worker"]  # which the network of the machine would forbid
    assert "networks" not in SERVICES["worker"]


def test_compose_and_kubernetes_start_the_same_commands() -> None:
    assert {name: service["command"] for name, service in SERVICES.items()} == {
        name: container["args"] for name, container in containers().items()
    }


def test_the_service_answers_to_the_names_that_others_ask_it_by() -> None:
    def hosts(text: str) -> tuple[str, ...]:
        return ApiSettings(hosts=text).hosts  # type: ignore[arg-type]

    assert "api" in hosts(SERVICES["api"]["environment"]["SKYSIEVE_HOSTS"])
    given = {entry["name"]: entry.get("value", "") for entry in containers()["api"]["env"]}  # type: ignore[attr-defined]
    (service,) = (m for m in manifests() if m["kind"] == "Service" and _name(m) == "skysieve")
    for place in ("", ".night", ".night.svc", ".night.svc.cluster.local"):
        assert f"{_name(service)}{place}" in hosts(given["SKYSIEVE_HOSTS"].replace("$(NAMESPACE)", "night"))


def _name(manifest: dict[str, object]) -> str:
    return str(manifest["metadata"]["name"])  # type: ignore[index]


def test_compose_and_kubernetes_give_the_flow_the_same_settings() -> None:
    composed = SERVICES["flow"]["environment"]
    placed = {entry["name"]: entry["value"] for entry in containers()["flow"]["env"]}  # type: ignore[attr-defined]
    assert composed.keys() == placed.keys()
    assert {**composed, "SKYSIEVE_SOURCE": "celestrak"} == placed


@pytest.mark.parametrize("part", ["scheduler", "worker"])
def test_systemd_starts_the_cluster_with_the_same_options(part: str) -> None:
    (unit,) = (path for path in UNITS if part in path.name)
    options = [option.replace("/etc/skysieve/", "/certificates/") for option in unit_command(unit)[2:]]
    expected = SERVICES[part]["command"][1:]
    assert [
        option.replace("${DASK_SCHEDULER_ADDRESS}", "tls://scheduler:8786") for option in options
    ] == expected[1:]


def test_a_worker_or_scheduler_that_ends_is_started_again_also_with_exit_code_0() -> None:
    for part in ("scheduler", "worker"):
        (unit,) = (path for path in UNITS if part in path.name)
        assert "Restart=always" in unit.read_text().splitlines()
        assert SERVICES[part]["restart"] == "unless-stopped"
    pods = [m["spec"]["template"]["spec"] for m in manifests() if "template" in m["spec"]]  # type: ignore[index,operator]
    assert {pod.get("restartPolicy", "Always") for pod in pods} == {"Always"}


@pytest.mark.processes
@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_systemd_accepts_the_units(path: Path, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("needs systemd-analyze")
    copied = tmp_path / path.name
    copied.write_text(path.read_text().replace("/opt/skysieve/bin/", "/bin/true "))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(copied)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_process_killed_for_its_memory_takes_no_other_with_it() -> None:
    text = (DEPLOY / "systemd" / "skysieve.service").read_text()
    assert re.findall(r"^OOMPolicy=(.*)$", text, re.MULTILINE) == ["continue"]


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_folders_of_the_units_are_closed_to_others(path: Path) -> None:
    lines = path.read_text().splitlines()
    for kind in ("State", "Cache"):
        assert (f"{kind}Directory=skysieve" in lines) == (f"{kind}DirectoryMode=0750" in lines)


@pytest.mark.processes
def test_settings_with_passwords_are_closed_before_they_are_written(tmp_path: Path) -> None:
    readme = (DEPLOY / "systemd" / "README.md").read_text()
    (command,) = re.findall(r"^    (install .* /etc/skysieve\.env)$", readme, re.MULTILINE)
    subprocess.run(
        shlex.split(command.replace("/etc/", f"{tmp_path}/")), check=True, capture_output=True, umask=0
    )
    assert (tmp_path / "skysieve.env").stat().st_mode & 0o777 == 0o600


def test_every_container_is_confined() -> None:
    for service in SERVICES.values():
        assert (service["read_only"], service["user"], service["cap_drop"]) == (True, "10001", ["ALL"])
        assert service["pull_policy"] == "never"  # a registry's image of this name is not ours
    for container in containers().values():
        confined = container["securityContext"]
        assert (confined["readOnlyRootFilesystem"], confined["allowPrivilegeEscalation"]) == (True, False)  # type: ignore[index]
    for unit in UNITS:
        assert "ProtectSystem=strict" in unit.read_text()


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_every_setting_that_is_named_exists(path: Path) -> None:
    documented = set(
        re.findall(r"^\| `(SKYSIEVE_\w+)`", (REPOSITORY / "docs" / "settings.md").read_text(), re.MULTILINE)
    )
    assert set(re.findall(r"SKYSIEVE_[A-Z_]+[A-Z]", path.read_text())) - {"SKYSIEVE_PORT"} <= documented


def test_the_alerts_ask_for_figures_that_there_are() -> None:
    documented = set(
        re.findall(r"^\| `(skysieve_\w+)", (REPOSITORY / "docs" / "http.md").read_text(), re.MULTILINE)
    )
    rules = [rule for group in ALERTS["groups"] for rule in group["rules"]]
    assert len(rules) > 4
    for rule in rules:
        asked = set(re.findall(r"skysieve_\w+", rule["expr"]))
        assert asked
        assert asked <= documented
        assert rule["labels"]["severity"] in {"warning", "critical"}
        assert rule["annotations"]["summary"]


def test_counts_in_alerts_are_whole() -> None:
    """delta() extrapolates to the ends of its window: it said "2.001 runs", and 1.999 is not enough."""
    rules = [rule for group in ALERTS["groups"] for rule in group["rules"]]
    counting = [rule["expr"] for rule in rules if re.search(r"\b(delta|increase)\(", rule["expr"])]
    assert counting
    assert [text for text in counting if not text.startswith("round(")] == []


def test_the_image_gets_the_files_that_it_copies() -> None:
    text = (DEPLOY / "docker" / "Dockerfile").read_text()
    sources = [
        source
        for line in re.findall(r"^COPY (?!--from)(.*)$", text, re.MULTILINE)
        for source in line.split()[:-1]
    ]
    assert {"pyproject.toml", "hatch_build.py"} <= set(sources)  # what a wheel is built by
    let_in = set(re.findall(r"^!(.*)$", (REPOSITORY / ".dockerignore").read_text(), re.MULTILINE))
    assert let_in == set(sources)
    assert [source for source in sources if not (REPOSITORY / source).exists()] == []


@pytest.mark.processes
def test_compiled_kernels_are_put_where_they_may_be_written(tmp_path: Path) -> None:
    built, wanted = tmp_path / "built", tmp_path / "kernels"
    built.mkdir()
    (built / "one").write_text("compiled")
    environment = {**os.environ, "BUILT_KERNELS": str(built), "SKYSIEVE_KERNEL_CACHE": str(wanted)}
    for _ in range(2):  # a container that is started again
        done = subprocess.run(
            [str(DEPLOY / "docker" / "with_kernels.sh"), "cat", str(wanted / "one")],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == "compiled"


def on_loopback(words: list[str], ports: dict[str, int], certificates: Path) -> list[str]:
    """Return a command of compose.yaml as it is for processes of this machine."""
    text = "\n".join(words)
    for name, port in ports.items():
        number = {"scheduler": 8786, "prefect": 4200, "api": 7373}[name]
        text = text.replace(f"{name}:{number}", f"127.0.0.1:{port}").replace(
            f"--port={number}", f"--port={port}"
        )
    text = text.replace("/certificates", str(certificates)).replace("0.0.0.0", "127.0.0.1")
    return text.split("\n")


@pytest.mark.slow
def test_the_commands_make_and_serve_a_run_together(
    small_catalogue: Path, store: Path, tmp_path: Path
) -> None:
    certificates = tmp_path / "certificates"
    script = DEPLOY / "tls" / "make_certificates.sh"
    subprocess.run([str(script), str(certificates), "scheduler", "worker", "flow"], check=True)
    ports = {name: free_port() for name in ("scheduler", "prefect", "api")}
    programs = Path(sys.executable).parent
    started: dict[str, subprocess.Popen[bytes]] = {}
    with ExitStack() as until_done:
        for name, service in SERVICES.items():
            program, *options = on_loopback(service["command"], ports, certificates)
            if name in ("scheduler", "worker"):
                options.append("--host=127.0.0.1")
            lines = [f"{key}={value}" for key, value in service.get("environment", {}).items()]
            given = on_loopback(lines, ports, certificates)
            environment = {
                **os.environ,
                "PYTHONPATH": str(REPOSITORY),
                "PREFECT_HOME": str(tmp_path / "prefect"),
                "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
                "SKYSIEVE_STORE": str(store),
                "SKYSIEVE_LOOK_AHEAD_HOURS": "1",
                **dict(line.split("=", 1) for line in given if line),
            }
            if name == "flow":
                environment |= {
                    "SKYSIEVE_SOURCE": str(small_catalogue),
                    "PREFECT_HOME": str(tmp_path / "home"),
                }
            started[name] = until_done.enter_context(
                subprocess.Popen(
                    [str(programs / program), *options],
                    env=environment,
                    cwd=tmp_path,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
            )
            until_done.callback(started[name].terminate)
        url = f"http://127.0.0.1:{ports['api']}/ready"
        pause = Event()
        while (ready := _answer(url)) is None:
            ended = {name: part.returncode for name, part in started.items() if part.poll() is not None}
            assert ended == {}
            pause.wait(0.5)
    assert ready["status"] == "ready"


def _answer(url: str) -> dict[str, object] | None:
    try:
        answer = httpx.get(url)
    except httpx.TransportError:
        return None
    return dict(answer.json()) if answer.status_code == 200 else None
