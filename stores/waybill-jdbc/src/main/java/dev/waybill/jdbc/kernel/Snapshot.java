package dev.waybill.jdbc.kernel;

import java.util.Arrays;

/**
 * A {@code pg_snapshot}: the transactions that had ended when it was taken.
 *
 * @param xmin all transactions below it had ended
 * @param xmax no transaction from here on counts as ended
 * @param inProgress transactions between the two that had not ended, ascending
 */
public record Snapshot(long xmin, long xmax, long[] inProgress) {
    /** Before the first possible transaction: sees nothing. */
    public static final Snapshot NOTHING = new Snapshot(3, 3, new long[0]);

    public static Snapshot parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("\"" + text + "\" is not a pg_snapshot (xmin:xmax:xip,…).");
        }
        long[] inProgress = parts[2].isEmpty()
                ? new long[0]
                : Arrays.stream(parts[2].split(",")).mapToLong(Long::parseLong).toArray();
        return new Snapshot(Long.parseLong(parts[0]), Long.parseLong(parts[1]), inProgress);
    }

    /** The same snapshot with every xid shifted by an offset, as in an adopted journal. */
    public Snapshot plus(long offset) {
        return offset == 0
                ? this
                : new Snapshot(
                        xmin + offset,
                        xmax + offset,
                        Arrays.stream(inProgress).map(xid -> xid + offset).toArray());
    }

    public boolean sees(long xid) {
        return xid < xmin || (xid < xmax && Arrays.binarySearch(inProgress, xid) < 0);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Snapshot s
                && xmin == s.xmin
                && xmax == s.xmax
                && Arrays.equals(inProgress, s.inProgress);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(xmin) * 31 + Long.hashCode(xmax);
    }

    /** PostgreSQL's text form. */
    @Override
    public String toString() {
        StringBuilder text =
                new StringBuilder().append(xmin).append(':').append(xmax).append(':');
        for (int i = 0; i < inProgress.length; i++) {
            text.append(i == 0 ? "" : ",").append(inProgress[i]);
        }
        return text.toString();
    }
}
