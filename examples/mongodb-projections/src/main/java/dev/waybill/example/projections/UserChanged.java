package dev.waybill.example.projections;

/** The finished envelope of an event, which is stored as the payload and sent as it is. */
record UserChanged(String event_id, String event_type, String entity_id, long entity_version, String name) {
    static final String TYPE = "user.changed";
    static final String TOPIC = "sc.domain.user";
}
