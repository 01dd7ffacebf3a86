"""Data sets to train on."""


def make_moons(n_samples=100, noise=0.1, seed=0):
    """Two interleaved half moons.

    Returns (points, labels): an array of shape (n_samples, 2) and an array of n_samples ints, 0 or 1.
    noise: the standard deviation of the points around their moons.
    Source: scikit-learn's make_moons.
    """
    from sklearn import datasets  # takes a second to import: only who needs it waits

    return datasets.make_moons(n_samples, noise=noise, random_state=seed)
