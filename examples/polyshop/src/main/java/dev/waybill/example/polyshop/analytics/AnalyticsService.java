package dev.waybill.example.polyshop.analytics;

import dev.waybill.example.polyshop.common.EventTypes;
import dev.waybill.example.polyshop.common.PlainConsumer;
import dev.waybill.format.ReceivedEvent;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import tools.jackson.databind.json.JsonMapper;

/** The process of the analytics-service: how many events of each type there were, and the revenue of each day. */
public final class AnalyticsService {
    private static final JsonMapper JSON = JsonMapper.shared();

    private AnalyticsService() {}

    public static void main(String[] arguments) throws IOException, SQLException, InterruptedException {
        PlainConsumer.run("analytics-service", EventTypes.all(), AnalyticsService::count);
    }

    private static void count(Connection connection, ReceivedEvent event) throws SQLException {
        try (PreparedStatement counted = connection.prepareStatement(
                "insert into event_counts as c (event_type, events) values (?, 1) on conflict (event_type)"
                        + " do update set events = c.events + 1")) {
            counted.setString(1, event.type());
            counted.executeUpdate();
        }
        if (event.type().equals("payment.payment.succeeded.v1")) {
            try (PreparedStatement paid = connection.prepareStatement(
                    "insert into revenue as r (day, amount) values (current_date, ?) on conflict (day)"
                            + " do update set amount = r.amount + excluded.amount")) {
                paid.setLong(1, JSON.readTree(event.data()).path("amount").asLong());
                paid.executeUpdate();
            }
        }
    }
}
