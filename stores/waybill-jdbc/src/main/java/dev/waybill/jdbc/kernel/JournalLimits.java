package dev.waybill.jdbc.kernel;

/** What the journal takes, as the constraints of its table say it. */
public final class JournalLimits {
    public static final int PAYLOAD_BYTES = 16_777_216;
    public static final int HEADERS_BYTES = 131_072;

    private JournalLimits() {}
}
