"""Link the records of two tables one to one, from scored candidate pairs.

Each pair is an edge between a record on the left and one on the right; its score is the weight. A matching links every
record at most once, and weighs at least half of the best possible one.
"""

import troth

candidates = [
    ("Ann Smith", "Smith, A.", 0.91),
    ("Ann Smith", "Smith, Anna", 0.89),
    ("Anna Smith", "Smith, Anna", 0.97),
    ("Anna Smith", "Smith, A.", 0.86),
    ("Bob Jones", "Jones, Robert", 0.74),
    ("Rob Johns", "Jones, Robert", 0.52),
]
left = sorted({pair[0] for pair in candidates})
right = sorted({pair[1] for pair in candidates})
numbers = {name: number for number, name in enumerate(left + right)}

u, v, score = zip(*[(numbers[a], numbers[b], score) for a, b, score in candidates], strict=True)
matching = troth.max_weight_matching((list(u), list(v), list(score)))
matching.verify()

for a, b in sorted(matching.to_set(labels=left + right)):
    print(f"{a:10} = {b}")
free = [name for name, number in numbers.items() if matching.mate[number] < 0]
print("without a partner:", ", ".join(free))
