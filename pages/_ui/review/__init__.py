"""Parts of the Review page, and what connects other pages with a paper of a project."""
