"""The types that clients generate from the OpenAPI document: the page's, and those of a client of its own."""

import json
import shutil
import subprocess
from pathlib import Path

import httpx
import pytest

from docs.page_types import GENERATED, GENERATOR, WEB, generate, openapi, page_types
from tests.page.browsing import Served, missing

TSC = WEB / "node_modules" / "typescript" / "bin" / "tsc"
# A fetch that knows from the path what comes back, and three questions with it.
CLIENT = """
import type { paths } from "./service";

declare const process: { argv: string[] };
const [base = "", token = ""] = process.argv.slice(2);

type Answer<P extends keyof paths> = paths[P] extends
  { get: { responses: { 200: { content: { "application/json": infer A } } } } } ? A : never;

async function get<P extends keyof paths>(path: P, id: number | null = null): Promise<Answer<P>> {
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(base + path.replace("{id}", String(id)), { headers });
  if (!answer.ok) throw new Error(`${path}: status ${answer.status}`);
  return (await answer.json()) as Answer<P>;
}

const page = await get("/conjunctions");
const worst = page.conjunctions[0];
if (!worst) throw new Error("no event");
const level: "critical" | "high" | "medium" | "low" = worst.risk_level;
const geometry = await get("/conjunctions/{id}/geometry", worst.id);
const [radial_m]: [number, number, number] = geometry.encounter_rtn?.secondary_m ?? [NaN, NaN, NaN];
const run = await get("/runs/current");
console.log(JSON.stringify({ id: worst.id, level, radial_m, total: page.total, run_id: run.run_id }));
"""


@pytest.fixture(autouse=True)
def _generator() -> None:
    if shutil.which("node") is None or not GENERATOR.exists():
        missing("needs Node.js and the page's libraries: `make page`")


@pytest.fixture(scope="module")
def service_types(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with `service.ts`: the types of the whole document."""
    folder = tmp_path_factory.mktemp("client")
    generate(openapi(), folder / "service.ts")
    return folder


def compiled(folder: Path, name: str, text: str) -> subprocess.CompletedProcess[str]:
    (folder / f"{name}.mts").write_text(text)
    options = ("--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--lib", "es2023,dom")
    command = ("node", TSC, *options, "--module", "esnext", "--moduleResolution", "bundler", f"{name}.mts")
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_types_of_the_page_are_those_of_the_service() -> None:
    assert page_types() == GENERATED.read_text(encoding="utf-8"), (
        f"{GENERATED.name} differs; run: python docs/page_types.py"
    )


def test_a_generated_client_compiles_and_reads_the_service(
    service_types: Path, served: Served, ask: httpx.Client
) -> None:
    done = compiled(service_types, "client", CLIENT)
    assert done.returncode == 0, done.stdout
    command = ("node", "client.mjs", served.url, served.token)
    ran = subprocess.run(command, cwd=service_types, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    said, page = json.loads(ran.stdout), ask.get("/conjunctions").json()
    worst = page["conjunctions"][0]
    geometry = ask.get(f"/conjunctions/{worst['id']}/geometry").json()
    assert said == {
        "id": worst["id"],
        "level": worst["risk_level"],
        "radial_m": geometry["encounter_rtn"]["secondary_m"][0],
        "total": page["total"],
        "run_id": ask.get("/runs/current").json()["run_id"],
    }


@pytest.mark.parametrize(
    "mistake", ["void run.run_number;", 'const far: "distant" = worst.risk_level; void far;']
)
def test_a_client_with_a_mistake_does_not_compile(service_types: Path, mistake: str) -> None:
    done = compiled(service_types, "wrong", CLIENT + mistake)
    assert done.returncode != 0
    assert done.stdout.count("error TS") == 1
