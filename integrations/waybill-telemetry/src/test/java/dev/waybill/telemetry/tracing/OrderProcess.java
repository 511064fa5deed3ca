package dev.waybill.telemetry.tracing;

import dev.waybill.testkit.Await;
import io.opentelemetry.api.GlobalOpenTelemetry;
import org.postgresql.ds.PGSimpleDataSource;

/** Runs {@link OrderSystem} with whatever OpenTelemetry the Java agent provides, until two orders are handled. */
final class OrderProcess {
    static final int ORDERS = 2;

    private OrderProcess() {}

    public static void main(String... arguments) throws Exception {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(arguments[0]);
        try (OrderSystem system =
                new OrderSystem(GlobalOpenTelemetry.getOrNoop(), database, OrderBroker.at(arguments[1]))) {
            for (int i = 0; i < ORDERS; i++) {
                system.order("o-" + i);
            }
            Await.until("the orders are handled", () -> system.handled().size() >= ORDERS);
        }
    }
}
