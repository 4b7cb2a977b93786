"""The compiler of standalone kernels: from Python to machine code that does not need numba.

Numba compiles a C function that builds the kernel's arguments and calls it; LLVM then optimizes the
whole again, now that nothing else in it can be called from outside.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

import llvmlite.binding as llvm
from numba import carray, cfunc, njit, types  # type: ignore[attr-defined]
from numba.extending import intrinsic

from croupier.mathematics.kernels.code_store import ENTRY, processor
from croupier.mathematics.kernels.signatures import ArrayType, Record, Type, parse


def machine_code(function: FunctionType, signature: str) -> bytes:
    source = _Source()
    arguments = ", ".join(map(source.expression, parse(signature)))
    names = {**source.names, "kernel": njit(error_model="numpy")(function)}
    exec(f"def entry(words):\n    kernel({arguments})", names)
    entry: Any = names["entry"]
    compiled = cfunc(types.void(types.CPointer(types.int64)), error_model="numpy")(entry)
    module = llvm.parse_assembly(compiled.inspect_llvm())
    for defined in module.functions:
        if defined.name == compiled.native_name:
            defined.name = ENTRY
        elif not defined.is_declaration:
            defined.linkage = "internal"
    machine = _machine()
    passes = llvm.create_pass_builder(machine, _tuning())
    passes.getModulePassManager().run(module, passes)
    _check_independence(function, module)
    code: bytes = machine.emit_object(module)
    return code


def _machine() -> Any:
    name, features = processor()
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(cpu=name, features=features, opt=3, reloc="pic", jit=True)


def _tuning() -> Any:
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = True
    return tuning


def _check_independence(function: FunctionType, module: Any) -> None:
    """Refuse code that needs names of numba's: LLVM's loader ends the program if it cannot find a
    name."""
    outside = (used.name for used in module.functions if used.is_declaration)
    needs = [name for name in outside if _is_numbas(name)]
    if needs:
        raise TypeError(
            f"{function.__qualname__} cannot run without numba, since it needs {', '.join(needs)}: "
            "a standalone kernel neither makes arrays nor raises errors; declare it with `kernel`"
        )


def _is_numbas(name: str) -> bool:
    if name.startswith(("numba_", "NRT_", "Py")):
        return True
    return not name.startswith("llvm.") and llvm.address_of_symbol(name) is None


class _Source:
    """Expressions that build the arguments from the words at `words`, in order."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"carray": carray, "_pointer": _pointer}
        self._words = 0

    def expression(self, type_: Type) -> str:
        match type_:
            case "none":
                return "None"
            case "bool":
                return f"({self._word()} != 0)"
            case "int64":
                return self._word()
            case str():
                return f"{self._named(type_, getattr(types, type_))}({self._word()})"
            case ArrayType():
                dtype = self._named(f"{type_.dtype}_", getattr(types, type_.dtype))
                address = self._word()
                shape = "".join(f"{self._word()}, " for _ in range(type_.dimensions))
                return f"carray(_pointer({address}, {dtype}), ({shape}))"
            case Record():
                fields = "".join(f"{self.expression(field)}, " for field in type_.fields)
                if type_.constructor is None:
                    return f"({fields})"
                name = f"record_{len(self.names)}"
                return f"{self._named(name, type_.constructor)}({fields})"

    def _word(self) -> str:
        self._words += 1
        return f"words[{self._words - 1}]"

    def _named(self, name: str, value: object) -> str:
        self.names[name] = value
        return name


@intrinsic
def _pointer(_context: Any, word: Any, dtype: Any) -> Any:
    """Return the address in a word as a pointer to numbers of a type."""
    pointer = types.CPointer(dtype.dtype)

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(pointer))

    return pointer(word, dtype), generate
