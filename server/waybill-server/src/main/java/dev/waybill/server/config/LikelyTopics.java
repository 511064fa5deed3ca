package dev.waybill.server.config;

import dev.waybill.RelayName;
import dev.waybill.admin.EventFilter;
import dev.waybill.admin.EventHistory;
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
                topics.addAll(of(
                        new RelayName(relay),
                        installation.route(relay),
                        installation.admin(installation.storeOf(relay))));
            }
        }
        return topics;
    }

    /** Without those of events that an operator has discarded: the relay never publishes them. */
    private static Set<String> of(RelayName relay, Route route, StoreAdmin admin) {
        Set<String> topics = new TreeSet<>();
        try {
            admin.events(EventQuery.of(EventFilter.ALL).with(relay).atMost(NEWEST)).events().stream()
                    .filter(event -> event.relays().stream()
                            .noneMatch(standing -> standing.state() == EventHistory.State.DISCARDED))
                    .forEach(event ->
                            route.topicOf(event.type(), event.aggregateType()).ifPresent(topics::add));
        } catch (StoreException e) {
            return Set.of();
        }
        return topics;
    }
}
