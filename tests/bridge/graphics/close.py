"""close.py A B - exit status 1 unless the two texts have the same words in the same order,
numbers within 0.001 of each other, and at least a thousand of these."""
import itertools
import sys


def words(path):
    with open(path, encoding="utf-8") as file:
        for word in file.read().split():
            try:
                yield float(word)
            except ValueError:
                yield word


numbers = apart = 0
for a, b in itertools.zip_longest(words(sys.argv[1]), words(sys.argv[2])):
    both = isinstance(a, float) and isinstance(b, float)
    numbers += both
    apart += abs(a - b) > 0.001 if both else a != b
print(f"# {apart} apart, {numbers} numbers")
sys.exit(apart > 0 or numbers < 1000)
