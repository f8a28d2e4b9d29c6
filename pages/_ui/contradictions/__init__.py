"""What the page of contradictions is made of."""
