package dev.waybill.trials;

import javax.sql.DataSource;

/** Tables for which several processes compete, with a sequence and without, on both databases. */
enum ContestedTable {
    WAYBILL_ON_POSTGRESQL(
            "waybill",
            "insert into waybill_event (id, type, aggregate_type, aggregate_id, payload)"
                    + " values (?, 'order.placed', 'Order', ?, '{}')",
            "select row_id from waybill_claim join waybill_event on id = row_id where status = 'PENDING' and owner like ?",
            "select count(*) from waybill_event where status = 'PUBLISHED'"),
    PUBSUB_ON_POSTGRESQL(
            "pubsub",
            "insert into outbox_events (id, event_type, aggregate_type, aggregate_id, payload_json)"
                    + " values (cast(? as uuid), 'license_status_changed', 'license', ?, '{}')",
            "select row_id from waybill_claim join outbox_events on id = cast(row_id as uuid)"
                    + " where published_at is null and owner like ?",
            "select count(*) from outbox_events where published_at is not null"),
    WAYBILL_ON_MARIADB(
            WAYBILL_ON_POSTGRESQL.layout,
            WAYBILL_ON_POSTGRESQL.insert,
            WAYBILL_ON_POSTGRESQL.leased,
            WAYBILL_ON_POSTGRESQL.published),
    NOTIFICATIONS_ON_MARIADB(
            "notifications",
            "insert into EventOutbox (event_id, event_type, aggregate_type, aggregate_id, status, payload, created_at)"
                    + " values (?, 'ORDER_CREATED', 'CUSTOMER', ?, 'PENDING', '{}', utc_timestamp(6))",
            "select row_id from waybill_claim join EventOutbox on event_id = row_id"
                    + " where status = 'PENDING' and owner like ?",
            "select count(*) from EventOutbox where status = 'PROCESSED'");

    final String layout;
    /** Statement that inserts a row with an id and a number as the aggregate id. */
    final String insert;
    /** Query for the ids of pending rows that a matching process holds. */
    final String leased;

    final String published;

    ContestedTable(String layout, String insert, String leased, String published) {
        this.layout = layout;
        this.insert = insert;
        this.leased = leased;
        this.published = published;
    }

    boolean onMariaDb() {
        return name().endsWith("MARIADB");
    }

    /** A new database. */
    Place make() {
        if (onMariaDb()) {
            String name = TrialServers.mariaDb().createDatabase("contest");
            return new Place(
                    name,
                    TrialServers.mariaDb().dataSource(name),
                    TrialServers.mariaDb().jdbcUrl(name));
        }
        String name = TrialServers.postgres().createDatabase("contest");
        return new Place(
                name,
                TrialServers.postgres().dataSource(name),
                TrialServers.postgres().jdbcUrl(name));
    }

    record Place(String name, DataSource dataSource, String url) {}
}
