"""How every kernel is compiled, in one place.

Cached on disk, without the GIL, and without reference counts: a helper that the compiler inlines would otherwise touch
the count of each array it is given, atomically, at every call. Measured: four fifths of the time of a Suitor kernel.
The price is that kernels neither make nor return arrays, which is house style anyway.
"""

from typing import Any

from numba import njit

OPTIONS = {"nogil": True, "_nrt": False}

compiled: Any = njit(cache=True, **OPTIONS)
inlined: Any = njit(cache=True, forceinline=True, **OPTIONS)
"""For helpers with many arguments on the hottest path, where a call would cost more than their work."""
