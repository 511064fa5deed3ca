package dev.waybill.tck.memory;

import dev.waybill.admin.EventStory;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.RelayStatus;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The ledger in the words of {@code dev.waybill.admin}. Called with the ledger's monitor held. */
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
                backlog.stream()
                        .map(MemoryEvent::createdAt)
                        .min(Comparator.naturalOrder())
                        .map(oldest -> Duration.between(oldest, ledger.now())),
                relay.parking().all().size() - dead,
                dead);
    }

    ParkedEvent parked(RelayState relay, Parked parked) {
        return new ParkedEvent(
                parked.event().position(),
                parked.event().event().id(),
                parked.event().event().type(),
                state(relay, parked),
                parked.attempts(),
                parked.error(),
                parked.nextAttemptAt(),
                parked.holdsKey());
    }

    private static ParkedState state(RelayState relay, Parked parked) {
        if (parked.isDead()) {
            return ParkedState.DEAD;
        }
        return parked.equals(relay.parking().heads().get(parked.key())) ? ParkedState.DUE : ParkedState.WAITING;
    }

    EventStory story(MemoryEvent event) {
        return new EventStory(
                event.event().id(),
                event.event().type(),
                event.event().aggregateType(),
                event.createdAt(),
                event.payload().length,
                ledger.all()
                        .filter(relay -> relay.isAbout(event))
                        .map(relay -> chapter(relay, event))
                        .toList());
    }

    private EventStory.Chapter chapter(RelayState relay, MemoryEvent event) {
        Optional<Parked> parked = relay.parking().find(event.position());
        EventStory.State state = parked.isPresent()
                ? (parked.get().isDead() ? EventStory.State.DEAD : EventStory.State.PARKED)
                : (event.position() <= relay.position() ? EventStory.State.PUBLISHED : EventStory.State.PENDING);
        return new EventStory.Chapter(
                relay.name().value(), state, parked.map(found -> parked(relay, found)), Optional.empty());
    }
}
