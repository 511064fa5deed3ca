package dev.waybill.tck.memory;

import dev.waybill.admin.Actor;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.EventStory;
import dev.waybill.admin.Finding;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.PurgeStep;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.spi.RelayName;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Looks into the ledger and mends it. */
final class MemoryAdmin implements StoreAdmin {
    private final Ledger ledger;
    private final Views views;

    MemoryAdmin(Ledger ledger) {
        this.ledger = ledger;
        this.views = new Views(ledger);
    }

    @Override
    public List<RelayStatus> relays() {
        synchronized (ledger) {
            return ledger.relays().stream().map(views::status).toList();
        }
    }

    @Override
    public List<ParkedEvent> parked(ParkedQuery query) {
        synchronized (ledger) {
            return ledger.relay(query.relay()).stream()
                    .flatMap(relay ->
                            relay.parking().after(query.after()).stream().map(parked -> views.parked(relay, parked)))
                    .filter(parked -> query.state().isEmpty() || query.state().get() == parked.state())
                    .limit(query.atMost())
                    .toList();
        }
    }

    @Override
    public List<Finding> examine() {
        return List.of(Finding.fine("order", "events of a key come in the order of their appends; all is in memory"));
    }

    @Override
    public Optional<EventStory> show(String eventId) {
        synchronized (ledger) {
            return ledger.find(eventId).map(views::story);
        }
    }

    @Override
    public RequeuePreview previewRequeue(RelayName relay, Collection<String> eventIds) {
        synchronized (ledger) {
            List<Parked> found = find(relay, eventIds);
            long late = found.stream().filter(parked -> !parked.closesKey()).count();
            return new RequeuePreview(found.size(), (int) late);
        }
    }

    @Override
    public int requeue(RelayName relay, Collection<String> eventIds, Actor by) {
        synchronized (ledger) {
            List<Parked> found = find(relay, eventIds);
            ledger.relay(relay)
                    .ifPresent(state -> found.forEach(parked -> state.parking().put(parked.afresh(ledger.now()))));
            return audited(found, by, "requeue", relay);
        }
    }

    @Override
    public int discard(RelayName relay, Collection<String> eventIds, Actor by) {
        synchronized (ledger) {
            List<Parked> found = find(relay, eventIds);
            ledger.relay(relay)
                    .ifPresent(state -> found.forEach(
                            parked -> state.parking().remove(parked.event().position())));
            return audited(found, by, "discard", relay);
        }
    }

    @Override
    public boolean pause(RelayName relay, Actor by) {
        return change(relay, by, "pause", state -> state.pause(true));
    }

    @Override
    public boolean resume(RelayName relay, Actor by) {
        return change(relay, by, "resume", state -> state.pause(false));
    }

    @Override
    public boolean drop(RelayName relay, Actor by) {
        return change(relay, by, "drop", state -> ledger.drop(relay));
    }

    @Override
    public PurgeStep purge(Duration olderThan, int atMost) {
        synchronized (ledger) {
            return ledger.purge(olderThan, atMost);
        }
    }

    @Override
    public List<AuditEntry> audit(int atMost) {
        synchronized (ledger) {
            return ledger.audit(atMost);
        }
    }

    private List<Parked> find(RelayName relay, Collection<String> eventIds) {
        return ledger.relay(relay).stream()
                .flatMap(state -> eventIds.stream()
                        .distinct()
                        .flatMap(id -> ledger.find(id).stream())
                        .flatMap(event -> state.parking().find(event.position()).stream()))
                .toList();
    }

    private int audited(List<Parked> changed, Actor by, String action, RelayName relay) {
        if (!changed.isEmpty()) {
            String ids =
                    changed.stream().map(parked -> parked.event().event().id()).collect(Collectors.joining(", "));
            ledger.audit(by, action, relay, changed.size() + " events: " + ids);
        }
        return changed.size();
    }

    private boolean change(RelayName relay, Actor by, String action, Consumer<RelayState> change) {
        synchronized (ledger) {
            Optional<RelayState> state = ledger.relay(relay);
            state.ifPresent(known -> {
                change.accept(known);
                ledger.audit(by, action, relay, "");
            });
            return state.isPresent();
        }
    }
}
