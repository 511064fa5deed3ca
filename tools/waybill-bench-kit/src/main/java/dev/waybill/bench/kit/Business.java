package dev.waybill.bench.kit;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The application around an event: the same row, key and payload for every system. */
public final class Business {
    /** The number of keys. */
    public static final int KEYS = 2_000;

    /** Its row; the bench creates the table. */
    public static final String INSERT = "insert into bench_order (customer, total) values (?, ?)";

    /** Its total. */
    public static final BigDecimal TOTAL = new BigDecimal("129.90");

    private static final Pattern NUMBER = Pattern.compile("\"revision\" ?: ?(\\d+)");

    private Business() {}

    public static String key(long number) {
        return "order-" + number * 7919 % KEYS;
    }

    /** The event's payload. */
    public static String payload(long number) {
        return "{\"orderId\":\"" + key(number) + "\",\"revision\":" + number
                + ",\"status\":\"changed\",\"total\":\"129.90\",\"note\":\"leave it with the neighbours at number "
                + number % 90 + "\"}";
    }

    /**
     * The number of the payload in a message.
     *
     * @throws IllegalArgumentException if the message has none
     */
    public static long number(String message) {
        Matcher found = NUMBER.matcher(message);
        if (!found.find()) {
            throw new IllegalArgumentException("A message of " + message.length()
                    + " characters has no revision: it was not sent by this run of the bench.");
        }
        return Long.parseLong(found.group(1));
    }

    public static void insertRow(Connection connection, long number) throws SQLException {
        try (PreparedStatement row = connection.prepareStatement(INSERT)) {
            row.setString(1, key(number));
            row.setBigDecimal(2, TOTAL);
            row.executeUpdate();
        }
    }

    /** A message that every system sends with the same bytes. */
    public record Message(String key, String value) {}

    /** The sample messages that the bench has stored, at most this many. */
    public static List<Message> sample(Connection connection, int most) throws SQLException {
        List<Message> sample = new ArrayList<>();
        try (PreparedStatement select =
                connection.prepareStatement("select key, value from bench_message order by n limit ?")) {
            select.setInt(1, most);
            try (var rows = select.executeQuery()) {
                while (rows.next()) {
                    sample.add(new Message(rows.getString(1), rows.getString(2)));
                }
            }
        }
        return sample;
    }
}
