package dev.waybill.tck.memory;

import dev.waybill.RelayName;
import dev.waybill.admin.EventHistory;
import dev.waybill.admin.EventSummary;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.RelayStatus;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Converts the ledger to the types of {@code dev.waybill.admin}. Called with the ledger's monitor held. */
final class Views {
    private final Ledger ledger;

    Views(Ledger ledger) {
        this.ledger = ledger;
    }

    RelayStatus status(RelayState relay) {
        List<MemoryEvent> backlog = List.copyOf(ledger.after(relay.position()));
        long dead = relay.parking().all().stream().filter(Parked::isDead).count();
        return new RelayStatus(
                relay.name().value(),
                relay.lease(ledger.now()),
                relay.paused(),
                backlog.size(),
                true,
                oldest(backlog.stream()),
                oldest(relay.parking().all().stream()
                        .filter(parked -> !parked.isDead())
                        .map(Parked::event)),
                relay.parking().all().size() - dead,
                dead,
                OptionalDouble.empty(),
                relay.unattended(ledger.now()),
                OptionalLong.of(0),
                Optional.empty());
    }

    private Optional<Duration> oldest(Stream<MemoryEvent> events) {
        return events.map(MemoryEvent::createdAt)
                .min(Comparator.naturalOrder())
                .map(oldest -> Duration.between(oldest, ledger.now()));
    }

    ParkedEvent parked(RelayState relay, Parked parked) {
        return new ParkedEvent(
                String.valueOf(parked.event().position()),
                parked.event().event().id(),
                parked.event().event().type(),
                state(relay, parked),
                parked.attempts(),
                parked.error(),
                parked.nextAttemptAt(),
                Optional.empty(),
                parked.holdsKey());
    }

    static ParkedState state(RelayState relay, Parked parked) {
        if (parked.isDead()) {
            return ParkedState.DEAD;
        }
        return parked.equals(relay.parking().heads().get(parked.key())) ? ParkedState.DUE : ParkedState.WAITING;
    }

    EventHistory history(MemoryEvent event) {
        return new EventHistory(
                event.event().id(),
                event.event().type(),
                event.event().aggregateType(),
                Optional.of(event.event().aggregateId()),
                event.createdAt(),
                event.payload().length,
                ledger.all()
                        .filter(relay -> relay.isAbout(event))
                        .map(relay -> entry(relay, event))
                        .toList());
    }

    private EventHistory.Entry entry(RelayState relay, MemoryEvent event) {
        return new EventHistory.Entry(
                relay.name().value(),
                stands(relay, event),
                relay.parking().find(event.position()).map(found -> parked(relay, found)),
                Optional.empty(),
                relay.discarded(event.position()));
    }

    EventHistory.State stands(RelayState relay, MemoryEvent event) {
        Optional<Parked> parked = relay.parking().find(event.position());
        if (parked.isPresent()) {
            return parked.get().isDead() ? EventHistory.State.DEAD : EventHistory.State.PARKED;
        }
        if (relay.discarded(event.position()).isPresent()) {
            return EventHistory.State.DISCARDED;
        }
        return event.position() <= relay.position() ? EventHistory.State.PUBLISHED : EventHistory.State.PENDING;
    }

    /** @param asked the relay to report on; if empty, all relays */
    EventSummary summary(MemoryEvent event, Optional<RelayName> asked) {
        return new EventSummary(
                event.event().id(),
                event.event().type(),
                event.event().aggregateType(),
                Optional.of(event.event().aggregateId()),
                event.createdAt(),
                ledger.relays().stream()
                        .filter(relay -> asked.isEmpty() || asked.get().equals(relay.name()))
                        .map(relay -> standing(relay, event))
                        .toList());
    }

    private EventSummary.Standing standing(RelayState relay, MemoryEvent event) {
        Optional<Parked> parked = relay.parking().find(event.position());
        return new EventSummary.Standing(
                relay.name().value(),
                stands(relay, event),
                parked.map(Parked::attempts).orElse(0),
                parked.flatMap(Parked::error));
    }
}
