"""Words that the checks look for, as data: how plain English and medicine say the same, or the opposite."""
