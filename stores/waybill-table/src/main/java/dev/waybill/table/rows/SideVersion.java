package dev.waybill.table.rows;

/** The version of the side tables. In version 1 they had other primary keys, and other hashes of event keys. */
public final class SideVersion {
    public static final int CURRENT = 2;

    public static final String FIND = "select max(version) from {schema_version}";

    private SideVersion() {}

    /** What to do about tables of another version. */
    public static String remedy(int found) {
        return found > CURRENT
                ? "Use a Waybill at least as new as the one that created them."
                : "Once nothing waits and no relay runs, drop waybill_claim, waybill_relay, waybill_replay,"
                        + " waybill_audit and waybill_schema_version, and run waybill init --layout.";
    }
}
