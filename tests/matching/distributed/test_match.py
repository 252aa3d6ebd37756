"""match_distributed under a real MPI: slices, totals, gathering, and one sentence on all ranks for what is refused."""

import pytest


@pytest.mark.parametrize("case", ["floats", "integers"])
@pytest.mark.parametrize("n_ranks", [1, 2, 3])
def test_results(on_ranks, n_ranks, case):
    done = on_ranks(n_ranks, "mpi_cases.py", case)
    assert (done.returncode, done.stdout) == (0, "equal\n"), done.stderr


@pytest.mark.parametrize(
    ("case", "sentence"),
    [
        ("algorithms differ", "algorithm is 'suitor' on rank 0 but 'locally-dominant' on rank 1"),
        ("tie breaks differ", "tie_break is 'hash' on rank 0 but 'id' on rank 1"),
        ("unknown transport", "rank 0: unknown transport 'nlc': did you mean 'ncl'?"),
        ("threads of one rank", "rank 0: threads is 0"),
    ],
)
def test_refused_on_all_ranks_alike(on_ranks, case, sentence):
    done = on_ranks(2, "mpi_cases.py", case)
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert first == second
    assert first.startswith(sentence)
