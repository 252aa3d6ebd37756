"""Copy runs of rows between buffers, all in one call."""

from troth.kernels.jit import compiled


@compiled
def copy_runs(
    source,  # IN   records
    firsts,  # IN   for each run its first row in source
    target,  # OUT  records
    places,  # IN   for each run its first row in target
    counts,  # IN   rows of each run
):
    width = source.shape[1]
    for k in range(counts.shape[0]):
        for row in range(counts[k]):
            for word in range(width):
                target[places[k] + row, word] = source[firsts[k] + row, word]
