"""The page on screening: one paper or reference after the other, the project's criteria, and the reviewer's decision."""

from pages._ui import frame
from pages._ui.review import navigation
from pages._ui.screening import desk
from pages._ui.state import session

frame.draw(frame.SCREENING)
now = session()
navigation.restore_item(now)
project = navigation.open_project(now)
frame.show_problem()
if project is None or now.review.reviewer not in project.record.reviewers:
    desk.show_start(now, project)
else:
    now.screening.sit_down(project.record.id, now.review.reviewer)
    desk.show()
