"""Load a compiled kernel from numba's cache without what only compiling needs.

numba imports every module from which something was compiled in, down to scipy's linear algebra, parses the
bitcode and asks for its symbols one by one, all to compile callers: that takes several times as long as the
rest.
"""

import pickle
import sys
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache
from numba.core.codegen import JITCodeLibrary, ll  # type: ignore[attr-defined]
from numba.core.compiler import compile_result
from numba.core.environment import Environment, lookup_environment
from numba.core.runtime.nrt import rtsys


class LightCache(FunctionCache):
    """A kernel's cache, from which it is loaded as described above."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load a compiled kernel; None if there is none.

        numba would first prepare to compile whatever may come, which takes 0.2 s. Its compiler prepares that
        itself; compiled code needs only the runtime.
        """
        rtsys.initialize(target_context)
        index = self._cache_file._load_index()  # type: ignore[no-untyped-call]
        name = index.get(self._index_key(sig, target_context.codegen()))  # type: ignore[no-untyped-call]
        if name is None:
            return None
        try:
            with Path(self._cache_file._data_path(name)).open("rb") as file:  # type: ignore[no-untyped-call]
                data = _Unpickler(file).load()
        except OSError:  # as numba: it is compiled again
            return None
        return _rebuilt(target_context, *data)


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) == ("numba.core.environment", "_rebuild_env"):
            return _environment
        return super().find_class(module, name)


def _environment(module: str, constants: list[Any], name: str) -> Environment:
    """Return what functions compiled in refer to, known as numba knows it; the module is not imported."""
    known: Environment | None = lookup_environment(name)  # type: ignore[no-untyped-call]
    if known is not None:
        return known
    its_globals = vars(sys.modules[module]) if module in sys.modules else {"__name__": module}
    environment = Environment(its_globals)
    environment.consts[:] = constants
    environment.env_name = name
    Environment._memo[name] = environment
    return environment


class _Library(JITCodeLibrary):
    """Machine code, whose bitcode is parsed if a kernel that calls it is compiled."""

    def __init__(self, codegen: Any, stored: tuple[str, str, tuple[bytes, bytes]], entry: str) -> None:
        name, _, (machine_code, self._bitcode) = stored
        super().__init__(codegen, name)  # type: ignore[no-untyped-call]
        self.enable_object_caching()  # type: ignore[no-untyped-call]
        self._set_compiled_object(machine_code)  # type: ignore[no-untyped-call]
        self._finalize_final_module()  # type: ignore[no-untyped-call]
        codegen._engine._defined_symbols.add(entry)

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            self._shared_module = ll.parse_bitcode(self._bitcode)
            self._codegen._engine._load_defined_symbols(self._shared_module)  # type: ignore[no-untyped-call]
        return self._shared_module


def _rebuilt(
    target_context: Any,
    stored: tuple[str, str, tuple[bytes, bytes]],
    descriptor: Any,
    environment: Environment,
    signature: Any,
    objectmode: bool,
    lifted: Any,
    annotation: str,
    reload_init: Any,
    environments: tuple[Environment, ...],
) -> Any:
    """Return a compiled kernel, as `CompileResult._rebuild` of numba does."""
    for prepare in reload_init:
        prepare()
    codegen = target_context.codegen()
    library = _Library(codegen, stored, descriptor.llvm_cpython_wrapper_name)
    entry_point = target_context.get_executable(library, descriptor, environment)
    for one in environments:
        codegen.set_env(one.env_name, one)
    return compile_result(  # type: ignore[no-untyped-call]
        target_context=target_context,
        typing_context=target_context.typing_context,
        library=library,
        environment=environment,
        entry_point=entry_point,
        fndesc=descriptor,
        type_annotation=annotation,
        signature=signature,
        objectmode=objectmode,
        lifted=lifted,
        reload_init=reload_init,
        referenced_envs=environments,
    )
