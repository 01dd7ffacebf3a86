"""Right solutions of notebook 17 in another style. A check must not care."""
