"""The decorators of this package's compiled functions."""

from __future__ import annotations

from croupier.mathematics.kernels.decorators import kernel, part, standalone_kernel, whole

__all__ = ["kernel", "part", "standalone_kernel", "whole"]
