"""What the page on screening is made of."""
