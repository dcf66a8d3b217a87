"""A second reading of the rulings, made without a look at the first: the suite plays both and compares."""
