"""The Screening page: one paper or reference at a time, the project's criteria, and the reviewer's decision."""

from pages._ui import frame
from pages._ui.review import navigation
from pages._ui.screening import desk
from pages._ui.state import current_session

frame.draw(frame.SCREENING)
session = current_session()
navigation.restore_item(session)
project = navigation.open_project(session)
frame.show_problem()
if project is None or session.review.reviewer not in project.record.reviewers:
    desk.show_start(session, project)
else:
    session.screening.sit_down(project.record.id, session.review.reviewer)
    desk.show()
