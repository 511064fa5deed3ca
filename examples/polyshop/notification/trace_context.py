"""W3C trace context, carried by hand: the trace id stays, each step has a span id of its own."""
import re
import secrets

_FORM = re.compile(r"00-([0-9a-f]{32})-[0-9a-f]{16}-([0-9a-f]{2})")


def child_of(traceparent):
    """Returns the trace id and the traceparent of a new step."""
    found = _FORM.fullmatch(traceparent or "")
    trace_id = found.group(1) if found else secrets.token_hex(16)
    flags = found.group(2) if found else "01"
    return trace_id, f"00-{trace_id}-{secrets.token_hex(8)}-{flags}"
