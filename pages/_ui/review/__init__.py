"""What the page of a review is made of, and what binds other pages to a paper of it."""
