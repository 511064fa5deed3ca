package dev.waybill.server.config;

import dev.waybill.admin.EventFilter;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.route.Route;
import dev.waybill.spi.StoreException;
import java.util.Set;
import java.util.TreeSet;

/** The topics of a relay, derived from its route and the newest events of its store. */
public final class LikelyTopics {
    private static final int NEWEST = 500;

    private LikelyTopics() {}

    /** Topics of all relays that publish to the destination. */
    public static Set<String> of(Installation installation, String destination) {
        Set<String> topics = new TreeSet<>();
        for (String relay : installation.relays()) {
            if (installation.destinationOf(relay).equals(destination)) {
                topics.addAll(of(installation.route(relay), installation.admin(installation.storeOf(relay))));
            }
        }
        return topics;
    }

    private static Set<String> of(Route route, StoreAdmin admin) {
        Set<String> topics = new TreeSet<>();
        try {
            admin.events(EventQuery.of(EventFilter.ALL).atMost(NEWEST))
                    .events()
                    .forEach(event ->
                            route.topicOf(event.type(), event.aggregateType()).ifPresent(topics::add));
        } catch (StoreException e) {
            return Set.of();
        }
        return topics;
    }
}
