package dev.waybill.table;

/** The table that records what was published: one row for each event. */
final class GuardSql {
    private GuardSql() {}

    static final String CREATE = """
            create table if not exists {guard} (
                event_id varchar(255) not null primary key,
                status varchar(20) not null,
                created_at {time} not null,
                updated_at {time} not null)""";

    static final String SUCCEEDED = "select event_id from {guard} where status = 'SUCCESS' and event_id {among}";

    static final String KNOWN = "select event_id from {guard} where event_id {among}";

    static final String AGAIN =
            "update {guard} set status = 'PROCESSING', updated_at = ? where status <> 'SUCCESS' and event_id {among}";

    static final String BEGIN =
            "insert into {guard} (event_id, status, created_at, updated_at) values (?, 'PROCESSING', ?, ?)";

    static final String END = "update {guard} set status = ?, updated_at = ? where event_id {among}";
}
