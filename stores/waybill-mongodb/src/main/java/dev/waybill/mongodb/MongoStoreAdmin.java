package dev.waybill.mongodb;

import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.Sorts;
import dev.waybill.Payload;
import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.ChangedEvents;
import dev.waybill.admin.DiscardPreview;
import dev.waybill.admin.EventHistory;
import dev.waybill.admin.EventListing;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.Finding;
import dev.waybill.admin.Followers;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.PurgeStep;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.admin.StoreWatch;
import dev.waybill.spi.Counted;
import dev.waybill.spi.StoreRefusedException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.bson.conversions.Bson;

/** Lists and changes the events of an outbox in MongoDB for operators. */
final class MongoStoreAdmin implements StoreAdmin {
    /** Records deleted in one step of a purge. */
    private static final int PURGED_AT_ONCE = 2_000;

    private final OutboxCollections outbox;
    private final Parking parking;
    private final MongoAudit audit;

    MongoStoreAdmin(OutboxCollections outbox) {
        this.outbox = outbox;
        this.parking = new Parking(outbox);
        this.audit = new MongoAudit(outbox);
    }

    @Override
    public List<RelayStatus> relays() {
        return outbox.doing(
                "reading the state of its relay",
                () -> RelayDocument.read(outbox)
                        .filter(document -> document.name().isPresent())
                        .stream()
                        .map(document -> new RelayStatusReader(outbox).of(document))
                        .toList());
    }

    @Override
    public StoreWatch watch() {
        return StoreWatch.withoutConnection(() -> new StoreWatch.Reading(relays(), List.of()));
    }

    private boolean isRelay(RelayName relay) {
        return RelayDocument.read(outbox)
                .filter(document -> document.isOf(relay))
                .isPresent();
    }

    @Override
    public List<ParkedEvent> parked(ParkedQuery query) {
        return outbox.doing(
                "listing parked events of relay " + query.relay(),
                () -> isRelay(query.relay()) ? new ParkedList(parking).list(query) : List.of());
    }

    @Override
    public Followers waitingBehind(RelayName relay, String eventId, int atMost) {
        return outbox.doing(
                "listing what waits behind event " + eventId,
                () -> RelayDocument.read(outbox)
                                .flatMap(RelayDocument::name)
                                .filter(relay.value()::equals)
                                .isPresent()
                        ? new RecordHistory(outbox).behind(eventId, atMost)
                        : Followers.NONE);
    }

    @Override
    public EventListing events(EventQuery query) {
        return outbox.doing("listing events", () -> new RecordListing(outbox, query).page());
    }

    @Override
    public Optional<EventHistory> show(String eventId) {
        return outbox.doing("showing event " + eventId, () -> new RecordHistory(outbox).of(eventId));
    }

    @Override
    public Optional<Payload> payload(String eventId, Actor by) {
        return outbox.doing("reading the payload of event " + eventId, () -> {
            Optional<Payload> payload = new RecordHistory(outbox).payload(eventId);
            payload.ifPresent(found -> audit.write(by, "payload", "", eventId));
            return payload;
        });
    }

    @Override
    public RequeuePreview previewRequeue(RelayName relay, Selection selection) {
        return outbox.doing(
                "previewing a requeue on relay " + relay,
                () -> isRelay(relay) ? new ParkedChanges(outbox, selection).previewRequeue() : RequeuePreview.NONE);
    }

    @Override
    public DiscardPreview previewDiscard(RelayName relay, Selection selection) {
        return outbox.doing(
                "previewing a discard on relay " + relay,
                () -> isRelay(relay) ? new ParkedChanges(outbox, selection).previewDiscard() : DiscardPreview.NONE);
    }

    @Override
    public int requeue(RelayName relay, Selection selection, Actor by) {
        return change(relay, "requeue", selection, by, new Changes() {
            @Override
            public List<String> meant() {
                return new ParkedChanges(outbox, selection).toRequeue();
            }

            @Override
            public ParkedChanges.Changed make(Instant now) {
                return new ParkedChanges(outbox, selection).requeue();
            }
        });
    }

    @Override
    public int discard(RelayName relay, Selection selection, Actor by) {
        by.requireReason();
        return change(relay, "discard", selection, by, new Changes() {
            @Override
            public List<String> meant() {
                return new ParkedChanges(outbox, selection).toDiscard();
            }

            @Override
            public ParkedChanges.Changed make(Instant now) {
                return new ParkedChanges(outbox, selection).discard(by, now);
            }
        });
    }

    private interface Changes {
        /** Ids of the events that are to be changed. */
        List<String> meant();

        ParkedChanges.Changed make(Instant now);
    }

    private int change(RelayName relay, String action, Selection selection, Actor by, Changes changes) {
        return outbox.doing("changing parked events of relay " + relay, () -> {
            Optional<RelayDocument> known = RelayDocument.read(outbox).filter(document -> document.isOf(relay));
            List<String> meant = known.isPresent() ? changes.meant() : List.of();
            audit.write(by, action, relay.value(), inWords(selection, meant.size(), meant));
            ParkedChanges.Changed changed = meant.isEmpty()
                    ? ParkedChanges.Changed.NONE
                    : changes.make(known.orElseThrow().now());
            if (changed.count() != meant.size()) {
                audit.write(
                        by, action, relay.value(), "in the end " + inWords(selection, changed.count(), changed.ids()));
            }
            if (changed.count() > 0) {
                RelayDocument.changed(outbox, relay);
            }
            return changed.count();
        });
    }

    private static String inWords(Selection selection, int count, List<String> changed) {
        if (selection instanceof Selection.Matching matching) {
            return ChangedEvents.inWords(count, matching);
        }
        Selection.Ids asked = (Selection.Ids) selection;
        Set<String> others = new LinkedHashSet<>(asked.ids());
        changed.forEach(others::remove);
        return ChangedEvents.inWords(changed, others, asked.askedFor());
    }

    @Override
    public boolean pause(RelayName relay, Actor by) {
        return audited("pause", relay, by, () -> RelayDocument.pause(outbox, relay, true));
    }

    @Override
    public boolean resume(RelayName relay, Actor by) {
        return audited("resume", relay, by, () -> RelayDocument.pause(outbox, relay, false));
    }

    @Override
    public boolean drop(RelayName relay, Actor by) {
        relays().stream()
                .filter(status -> status.name().equals(relay.value()))
                .flatMap(status -> status.lease().stream())
                .forEach(lease -> {
                    throw new StoreRefusedException("Relay " + relay + " is not dropped: " + lease.owner()
                            + " runs it. Stop it in every process that has it in its configuration, then drop it."
                            + " Nothing was changed.");
                });
        return audited("drop", relay, by, () -> {
            boolean found = RelayDocument.drop(outbox, relay);
            if (found || isDropped()) {
                ParkedChanges.forget(outbox, relay);
            }
            return found;
        });
    }

    /** A drop that failed halfway is completed when it is repeated. */
    private boolean isDropped() {
        return RelayDocument.read(outbox)
                .filter(document -> document.name().isEmpty())
                .isPresent();
    }

    /** A dropped relay can be opened again unchanged: published documents stay marked. */
    @Override
    public boolean restore(RelayName relay, Actor by) {
        return false;
    }

    private boolean audited(String action, RelayName relay, Actor by, BooleanSupplier change) {
        return outbox.doing("doing a " + action + " of relay " + relay, () -> {
            audit.write(by, action, relay.value(), isRelay(relay) ? "" : "no such relay");
            return change.getAsBoolean();
        });
    }

    /** The age of a record counts from its publishing; that of a discarded one from its creation. */
    @Override
    public PurgeStep purge(Duration olderThan, int atMost) {
        return outbox.doing("purging", () -> {
            Optional<RelayDocument> relay = RelayDocument.read(outbox);
            return relay.isEmpty()
                    ? new PurgeStep(0, false)
                    : purge(new BsonDateTime(relay.get().now().minus(olderThan).toEpochMilli()), atMost);
        });
    }

    private PurgeStep purge(BsonDateTime before, int atMost) {
        Bson published = Filters.eq(Field.STATUS, Field.PUBLISHED);
        List<BsonValue> over =
                new ArrayList<>(oldest(Filters.and(published, Filters.lte(Field.PUBLISHED_AT, before)), atMost));
        if (over.size() < atMost) {
            Bson discarded = Filters.and(
                    published, Filters.eq(Field.PUBLISHED_AT, BsonNull.VALUE), Filters.lte(Field.CREATED_AT, before));
            over.addAll(oldest(discarded, atMost - over.size()));
        }
        long deleted = over.isEmpty()
                ? 0
                : outbox.records()
                        .deleteMany(Filters.and(Filters.in(Field.ID, over), published))
                        .getDeletedCount();
        return new PurgeStep((int) deleted, over.size() == atMost);
    }

    /** Along the index of status and time of publishing. */
    private List<BsonValue> oldest(Bson which, int atMost) {
        List<BsonValue> ids = new ArrayList<>();
        for (BsonDocument document : outbox.records()
                .find(which)
                .projection(Projections.include(Field.ID))
                .sort(Sorts.ascending(Field.PUBLISHED_AT))
                .limit(atMost)) {
            ids.add(document.get(Field.ID));
        }
        return ids;
    }

    /** A purge of several steps has an audit entry for its beginning, and one for its end. */
    @Override
    public long purge(Duration olderThan, Actor by) {
        PurgeStep step = purge(olderThan, PURGED_AT_ONCE);
        long deleted = step.deleted();
        if (step.more()) {
            written(by, "begun: events older than " + olderThan);
        }
        while (step.more()) {
            step = purge(olderThan, PURGED_AT_ONCE);
            deleted += step.deleted();
        }
        written(by, Counted.of(deleted, "event") + " older than " + olderThan);
        return deleted;
    }

    private void written(Actor by, String details) {
        outbox.doing("writing the audit", () -> {
            audit.write(by, "purge", "", details);
            return details;
        });
    }

    @Override
    public void note(String action, String details, Actor by) {
        outbox.doing("writing the audit", () -> {
            audit.write(by, action, "", details);
            return action;
        });
    }

    @Override
    public List<AuditEntry> audit(Optional<String> after, int atMost) {
        return outbox.doing("reading the audit", () -> audit.read(after, atMost));
    }

    @Override
    public List<Finding> examine() {
        return new MongoCheckup(outbox).findings();
    }
}
