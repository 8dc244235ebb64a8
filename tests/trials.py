"""How long the long trials are: a tenth in `make test`, the whole in `make soak`."""

from __future__ import annotations

import os

IS_SOAK = os.environ.get("SOAK") == "1"


def trials(full: int) -> int:
    """Returns how many of the `full` number of trials this run makes.

    Example:
        ```
        @pytest.mark.soak
        @settings(max_examples=trials(40_000))
        @given(conditions())
        def test_conditions_agree_with_the_peer(condition): ...
        ```
    """
    return full if IS_SOAK else max(1, full // 10)
