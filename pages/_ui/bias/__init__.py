"""What the page on risk of bias is made of."""
