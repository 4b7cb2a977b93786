"""How a part of a kernel is compiled: to LLVM's language and no further.

Numba optimises every function and makes machine code of it, also of those that nobody calls but the
kernel they are linked into, which is optimised as a whole again. Half of LLVM's work on a first use
was for code that never ran by itself.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.typed_passes import NativeLowering

__all__ = ["PartCompiler"]


class _NoEnvironment:
    """Stands for the code generator where numba ties Python's environment of a function to its
    machine code: a part has none, and its kernel ties its own."""

    def set_env(self, name: str, environment: object) -> None:
        pass


class _PartLibrary(JITCodeLibrary):
    """A part's code, with that of the parts it calls."""

    @property
    def codegen(self) -> _NoEnvironment:
        return _NoEnvironment()

    def finalize(self) -> None:
        self._raise_if_finalized()  # type: ignore[no-untyped-call]
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)  # noqa: SLF001 - as numba's own
            code = library._get_module_for_linking()  # noqa: SLF001
            self._final_module.link_in(code, preserve=True)
        self._finalized = True

    def _optimize_functions(self, code: Any) -> None:
        code.data_layout = self._codegen._data_layout  # noqa: SLF001 - or it could not be linked


@register_pass(mutates_CFG=True, analysis_only=False)
class _PartCode(LoweringPass):
    """Before lowering: where the code is to go."""

    _name = "part_code"

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    def run_pass(self, state: Any) -> bool:
        code: Any = _PartLibrary
        state.library = code(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return False


class PartCompiler(CompilerBase):
    """Numba's own passes; what comes out is only good to be linked into a kernel."""

    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        place = [one for one, _ in passes.passes].index(NativeLowering)
        passes.passes.insert(place, (_PartCode, "a part's code"))
        passes.finalize()
        return [passes]
