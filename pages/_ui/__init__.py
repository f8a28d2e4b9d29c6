"""What the pages share: the frame, the session's state, and the components."""
