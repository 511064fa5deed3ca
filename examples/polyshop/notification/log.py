"""Log lines in the form of all services. Lines about an event have its trace id and its id."""
import sys
import threading
from datetime import datetime, timezone

_lock = threading.Lock()


def log(level, message, trace_id="", event_id=""):
    time = datetime.now(timezone.utc).strftime("%H:%M:%S.%f")[:12]
    with _lock:
        sys.stdout.write(f"{time} {level.upper():5} traceId={trace_id} eventId={event_id} {message}\n")
        sys.stdout.flush()
