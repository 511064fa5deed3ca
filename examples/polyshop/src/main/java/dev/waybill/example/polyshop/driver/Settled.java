package dev.waybill.example.polyshop.driver;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Whether every event has had its effects. It counts rows; nothing is asked of the services. */
final class Settled {
    private final Shop shop;

    Settled(Shop shop) {
        this.shop = shop;
    }

    /**
     * @param waiting orders that wait for an operator
     * @param unhandled events that the inventory has not handled, since they are dead letters
     */
    boolean isSettled(int placed, int waiting, int unhandled) throws SQLException {
        return shop.count(Service.ORDER, "orders") == placed
                && shop.count(Service.ORDER, "orders where status in ('PLACED', 'RESERVED')") == waiting
                && shop.count(Service.PAYMENT, "payments where status = 'INITIATED'") == 0
                && shop.count(Service.NOTIFICATION, "notifications where status = 'QUEUED'") == 0
                && everythingPublished()
                && everythingConsumed(unhandled);
    }

    private boolean everythingPublished() throws SQLException {
        for (Service service : Service.withDatabases()) {
            if (service.hasOutbox() && shop.count(service, "outbox_events where not processed") > 0) {
                return false;
            }
        }
        return true;
    }

    private boolean everythingConsumed(int unhandled) throws SQLException {
        for (Service service : Service.withDatabases()) {
            long expected = produced(service.consumes()) - (service == Service.INVENTORY ? unhandled : 0);
            if (shop.count(service, "processed_events") != expected) {
                return false;
            }
        }
        return true;
    }

    /** Events of these types in the outboxes of all services. */
    long produced(List<String> types) throws SQLException {
        long produced = 0;
        for (Service service : Service.withDatabases()) {
            for (Map.Entry<String, Long> type : producedBy(service).entrySet()) {
                produced += types.contains(type.getKey()) ? type.getValue() : 0;
            }
        }
        return produced;
    }

    /** Events in the outbox of a service, by type. */
    Map<String, Long> producedBy(Service service) throws SQLException {
        if (!service.hasOutbox()) {
            return Map.of();
        }
        Map<String, Long> byType = new HashMap<>();
        for (String line :
                shop.in(service).texts("select event_type || ' ' || count(*) from outbox_events group by event_type")) {
            String[] typeAndCount = line.split(" ", 2);
            byType.put(typeAndCount[0], Long.valueOf(typeAndCount[1]));
        }
        return byType;
    }
}
