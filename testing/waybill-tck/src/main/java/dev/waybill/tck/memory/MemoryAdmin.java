package dev.waybill.tck.memory;

import dev.waybill.Payload;
import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.ChangedEvents;
import dev.waybill.admin.DiscardPreview;
import dev.waybill.admin.EventFilter;
import dev.waybill.admin.EventHistory;
import dev.waybill.admin.EventListing;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.Finding;
import dev.waybill.admin.Followers;
import dev.waybill.admin.LeasesAhead;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.PurgeStep;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.admin.SelectedEvent;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.admin.StoreWatch;
import dev.waybill.spi.StoreRefusedException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Administration of the ledger. */
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
    public StoreWatch watch() {
        return StoreWatch.withoutConnection(
                () -> new StoreWatch.Reading(relays(), ledger.processes().reports()));
    }

    @Override
    public List<ParkedEvent> parked(ParkedQuery query) {
        synchronized (ledger) {
            return ledger.relay(query.relay()).stream()
                    .flatMap(relay -> relay.parking().after(query.afterNumber()).stream()
                            .map(parked -> views.parked(relay, parked)))
                    .filter(parked -> query.state().isEmpty() || query.state().get() == parked.state())
                    .limit(query.atMost())
                    .toList();
        }
    }

    @Override
    public Followers waitingBehind(RelayName relay, String eventId, int atMost) {
        synchronized (ledger) {
            return ledger.relay(relay)
                    .flatMap(of -> of.parking().all().stream()
                            .filter(parked -> parked.event().event().id().equals(eventId)
                                    && (!parked.isDead() || parked.holdsKey()))
                            .findFirst()
                            .map(parked -> behind(of, parked, atMost)))
                    .orElse(Followers.NONE);
        }
    }

    private Followers behind(RelayState relay, Parked parked, int atMost) {
        return Followers.first(
                relay.parking().after(parked.event().position()).stream()
                        .filter(next ->
                                next.key().equals(parked.key()) && Views.state(relay, next) == ParkedState.WAITING)
                        .map(next -> views.parked(relay, next))
                        .toList(),
                atMost);
    }

    @Override
    public List<Finding> examine() {
        List<Finding> findings = new ArrayList<>();
        findings.add(Finding.fine("order", "events of a key come in the order of their appends; all is in memory"));
        Instant now = ledger.now();
        for (RelayStatus relay : relays()) {
            relay.lease()
                    .map(lease -> Duration.between(now, lease.until()))
                    .filter(ahead -> ahead.compareTo(LeasesAhead.FAR) > 0)
                    .ifPresent(ahead ->
                            findings.add(LeasesAhead.finding(relay.name() + " in " + ahead.toSeconds() + " s")));
        }
        return findings;
    }

    @Override
    public EventListing events(EventQuery query) {
        synchronized (ledger) {
            long before = query.after().map(MemoryAdmin::position).orElse(Long.MAX_VALUE);
            List<MemoryEvent> found = ledger.before(before).stream()
                    .filter(event -> admits(query.filter(), event) && standsAsAsked(query, event))
                    .limit(query.atMost() + 1L)
                    .toList();
            List<MemoryEvent> page = found.subList(0, Math.min(query.atMost(), found.size()));
            return new EventListing(
                    page.stream()
                            .map(event -> views.summary(event, query.relay()))
                            .toList(),
                    found.size() > page.size()
                            ? Optional.of(
                                    Long.toString(page.get(page.size() - 1).position()))
                            : Optional.empty(),
                    ledger.before(before).size());
        }
    }

    private static long position(String cursor) {
        try {
            return Long.parseLong(cursor);
        } catch (NumberFormatException e) {
            throw EventQuery.notACursor(cursor);
        }
    }

    private boolean standsAsAsked(EventQuery query, MemoryEvent event) {
        return query.state().isEmpty()
                || query.relay().flatMap(ledger::relay).stream()
                        .anyMatch(relay ->
                                views.stands(relay, event) == query.state().get());
    }

    @Override
    public Optional<EventHistory> show(String eventId) {
        synchronized (ledger) {
            return ledger.find(eventId).map(views::history);
        }
    }

    @Override
    public Optional<Payload> payload(String eventId, Actor by) {
        synchronized (ledger) {
            Optional<MemoryEvent> event = ledger.find(eventId);
            event.ifPresent(found -> ledger.audit(by, "payload", "", eventId));
            return event.map(found -> found.event().payload());
        }
    }

    @Override
    public RequeuePreview previewRequeue(RelayName relay, Selection selection) {
        synchronized (ledger) {
            List<Parked> found = requeueable(relay, selection);
            long late = found.stream().filter(parked -> !parked.closesKey()).count();
            return new RequeuePreview(selected(relay, found), (int) late, true);
        }
    }

    private List<SelectedEvent> selected(RelayName relay, List<Parked> found) {
        return ledger.relay(relay).stream()
                .flatMap(state -> found.stream()
                        .map(parked -> new SelectedEvent(parked.event().event().id(), Views.state(state, parked))))
                .toList();
    }

    @Override
    public int requeue(RelayName relay, Selection selection, Actor by) {
        synchronized (ledger) {
            List<Parked> found = requeueable(relay, selection);
            ledger.relay(relay)
                    .ifPresent(state -> found.forEach(parked -> state.parking().put(parked.afresh(ledger.now()))));
            return audited(found, by, "requeue", relay, selection);
        }
    }

    @Override
    public DiscardPreview previewDiscard(RelayName relay, Selection selection) {
        synchronized (ledger) {
            return new DiscardPreview(selected(relay, find(relay, selection)), true);
        }
    }

    @Override
    public int discard(RelayName relay, Selection selection, Actor by) {
        by.requireReason();
        synchronized (ledger) {
            List<Parked> found = find(relay, selection);
            ledger.relay(relay)
                    .ifPresent(state -> found.forEach(parked -> state.discard(
                            parked.event().position(),
                            new EventHistory.Discarded(Optional.of(ledger.now()), by.who() + " (" + by.why() + ")"))));
            return audited(found, by, "discard", relay, selection);
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
        return change(relay, by, "drop", state -> {
            state.lease(ledger.now()).filter(lease -> state.replay().isEmpty()).ifPresent(lease -> {
                throw new StoreRefusedException(
                        "Relay " + relay + " is not dropped: " + lease.owner() + " runs it. Stop it first.");
            });
            ledger.drop(relay, by);
        });
    }

    @Override
    public boolean restore(RelayName relay, Actor by) {
        synchronized (ledger) {
            boolean found = ledger.restore(relay);
            if (found) {
                ledger.audit(by, "restore", relay.value(), "");
            }
            return found;
        }
    }

    @Override
    public PurgeStep purge(Duration olderThan, int atMost) {
        synchronized (ledger) {
            return ledger.purge(olderThan, atMost);
        }
    }

    @Override
    public long purge(Duration olderThan, Actor by) {
        synchronized (ledger) {
            int deleted = ledger.purge(olderThan, Integer.MAX_VALUE).deleted();
            ledger.audit(by, "purge", "", deleted + " events older than " + olderThan);
            return deleted;
        }
    }

    @Override
    public void note(String action, String details, Actor by) {
        synchronized (ledger) {
            ledger.audit(by, action, "", details);
        }
    }

    @Override
    public List<AuditEntry> audit(Optional<String> after, int atMost) {
        synchronized (ledger) {
            return ledger.audit(after, atMost);
        }
    }

    private List<Parked> requeueable(RelayName relay, Selection selection) {
        return ledger.relay(relay).stream()
                .flatMap(state -> find(relay, selection).stream()
                        .filter(parked -> Views.state(state, parked) != ParkedState.WAITING))
                .toList();
    }

    private List<Parked> find(RelayName relay, Selection selection) {
        return ledger.relay(relay).stream()
                .flatMap(state -> state.parking().all().stream()
                        .filter(parked -> selection instanceof Selection.Matching matching
                                ? matches(state, parked, matching)
                                : isAmong(parked, selection)
                                        && selection
                                                .requiredState()
                                                .map(Views.state(state, parked)::equals)
                                                .orElse(true)))
                .toList();
    }

    private static boolean isAmong(Parked parked, Selection selection) {
        return selection instanceof Selection.Ids some
                && some.ids().contains(parked.event().event().id());
    }

    private static boolean matches(RelayState relay, Parked parked, Selection.Matching matching) {
        return Views.state(relay, parked) == matching.state()
                && admits(matching.filter(), parked.event())
                && matching.error().stream()
                        .allMatch(part -> parked.error().orElse("").contains(part));
    }

    private static boolean admits(EventFilter filter, MemoryEvent event) {
        return filter.admits(
                event.event().type(),
                event.event().aggregateType(),
                event.event().aggregateId(),
                event.orderKey().toString(),
                event.createdAt());
    }

    private int audited(List<Parked> found, Actor by, String action, RelayName relay, Selection selection) {
        ledger.audit(by, action, relay.value(), inWords(found, selection));
        return found.size();
    }

    private static String inWords(List<Parked> found, Selection selection) {
        if (selection instanceof Selection.Matching matching) {
            return ChangedEvents.inWords(found.size(), matching);
        }
        List<String> changed =
                found.stream().map(parked -> parked.event().event().id()).toList();
        Selection.Ids asked = (Selection.Ids) selection;
        List<String> others =
                asked.ids().stream().filter(id -> !changed.contains(id)).toList();
        return ChangedEvents.inWords(changed, others, asked.askedFor());
    }

    private boolean change(RelayName relay, Actor by, String action, Consumer<RelayState> change) {
        synchronized (ledger) {
            Optional<RelayState> state = ledger.relay(relay);
            state.ifPresent(known -> {
                change.accept(known);
                ledger.audit(by, action, relay.value(), "");
            });
            return state.isPresent();
        }
    }
}
