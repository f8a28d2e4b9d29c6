"""Literature services: searching them, fetching open full texts, following citations, watching for retractions.

Nothing is asked before a person says so, and only the services of `core.sources.services` are asked.
"""

from core.sources.model import Notice, NoticeKind, Registration, SourceRecord
from core.sources.services import SERVICES, Service, service_named

__all__ = ["SERVICES", "Notice", "NoticeKind", "Registration", "Service", "SourceRecord", "service_named"]
