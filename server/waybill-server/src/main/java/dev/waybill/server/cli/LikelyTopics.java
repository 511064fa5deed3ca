package dev.waybill.server.cli;

import dev.waybill.admin.EventFilter;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.EventSummary;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.route.Route;
import dev.waybill.route.RouteException;
import dev.waybill.spi.StoreException;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The topics a relay probably publishes to, by its route and the newest events of its store. */
final class LikelyTopics {
    private static final int NEWEST = 500;

    private LikelyTopics() {}

    static Set<String> of(Route route, StoreAdmin admin) {
        Set<String> topics = new TreeSet<>();
        try {
            for (EventSummary event :
                    admin.events(EventQuery.of(EventFilter.ALL).atMost(NEWEST)).events()) {
                topic(route, event, topics);
            }
        } catch (StoreException e) {
            return Set.of();
        }
        return topics;
    }

    /** Skips events that cannot be routed by a summary, for example by the stored topic. */
    private static void topic(Route route, EventSummary event, Set<String> topics) {
        if (route.toString().contains("{aggregateId}")) {
            return;
        }
        try {
            topics.add(route.addressOf(new Summarised(event)).topic());
        } catch (RouteException e) {
            // An event that cannot be routed is or will be dead, which the examination of the relay reports.
        }
    }

    /** An event known by its summary only. */
    private record Summarised(EventSummary summary) implements StoredEvent {
        @Override
        public Utf8 id() {
            return Utf8.of(summary.id());
        }

        @Override
        public Utf8 type() {
            return Utf8.of(summary.type());
        }

        @Override
        public int version() {
            return 1;
        }

        @Override
        public Utf8 aggregateType() {
            return Utf8.of(summary.aggregateType());
        }

        @Override
        public Utf8 aggregateId() {
            return Utf8.of("-");
        }

        @Override
        public boolean numericAggregateId() {
            return false;
        }

        @Override
        public OptionalLong aggregateVersion() {
            return OptionalLong.empty();
        }

        @Override
        public @Nullable Utf8 topic() {
            return null;
        }

        @Override
        public @Nullable Utf8 key() {
            return null;
        }

        @Override
        public byte[] payload() {
            return new byte[0];
        }

        @Override
        public String contentType() {
            return "application/json";
        }

        @Override
        public @Nullable Utf8 headersJson() {
            return null;
        }

        @Override
        public Instant createdAt() {
            return summary.createdAt();
        }

        @Override
        public int attempts() {
            return 0;
        }
    }
}
