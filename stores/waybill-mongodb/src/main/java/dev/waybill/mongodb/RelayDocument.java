package dev.waybill.mongodb;

import com.mongodb.MongoException;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import dev.waybill.RelayName;
import dev.waybill.admin.RelayStatus;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.StoreRefusedException;
import dev.waybill.spi.support.LeaseBound;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.conversions.Bson;

/**
 * State of the relay of an outbox: one document, since a record can be marked once. It is read together with the server's time, on
 * which the lease is based. A change of the lease names the epoch that was read, and is refused when that is out of date.
 *
 * @param name empty when the relay was dropped: the epoch is kept, so that an old session never counts as a new one
 * @param leaseUntil the value in the document
 * @param leftAt when a session last released the lease
 * @param changes number of changes to parked records by operators
 * @param now the server's time
 */
record RelayDocument(
        Optional<String> name,
        long epoch,
        Optional<String> owner,
        BsonValue leaseUntil,
        boolean paused,
        Instant leftAt,
        long changes,
        Instant now) {
    private static final String NAME = "name";
    private static final String EPOCH = "epoch";
    private static final String OWNER = "owner";
    private static final String LEASE_UNTIL = "lease_until";
    private static final String PAUSED = "paused";
    private static final String LEFT_AT = "left_at";
    private static final String CHANGES = "changes";
    private static final String NOW = "now";

    static Optional<RelayDocument> read(OutboxCollections outbox) {
        BsonDocument fields = new BsonDocument(NOW, new BsonString("$$NOW"));
        for (String field : List.of(NAME, EPOCH, OWNER, LEASE_UNTIL, PAUSED, LEFT_AT, CHANGES)) {
            fields.append(field, new BsonInt32(1));
        }
        return Optional.ofNullable(outbox.relays()
                        .aggregate(List.of(
                                Aggregates.match(Filters.eq(Field.ID, outbox.name())), Aggregates.project(fields)))
                        .first())
                .map(RelayDocument::of);
    }

    private static RelayDocument of(BsonDocument document) {
        return new RelayDocument(
                text(document, NAME),
                number(document, EPOCH),
                text(document, OWNER),
                document.getOrDefault(LEASE_UNTIL, BsonNull.VALUE),
                document.getBoolean(PAUSED, BsonBoolean.FALSE).getValue(),
                time(document, LEFT_AT),
                number(document, CHANGES),
                time(document, NOW));
    }

    private static Optional<String> text(BsonDocument document, String field) {
        BsonValue value = document.getOrDefault(field, BsonNull.VALUE);
        return value.isString() ? Optional.of(value.asString().getValue()) : Optional.empty();
    }

    private static long number(BsonDocument document, String field) {
        BsonValue value = document.getOrDefault(field, BsonNull.VALUE);
        return value.isNumber() ? value.asNumber().longValue() : 0;
    }

    private static Instant time(BsonDocument document, String field) {
        return time(document.getOrDefault(field, BsonNull.VALUE));
    }

    private static Instant time(BsonValue value) {
        return value.isDateTime() ? Instant.ofEpochMilli(value.asDateTime().getValue()) : Instant.EPOCH;
    }

    boolean isOf(RelayName relay) {
        return name.isPresent() && name.get().equals(relay.value());
    }

    Optional<RelayStatus.Lease> lease() {
        Instant until = time(leaseUntil);
        return owner.filter(held -> until.isAfter(now)).map(held -> new RelayStatus.Lease(held, epoch, until));
    }

    /** How long no process has run it, if known. */
    Optional<Duration> unattended() {
        Instant since = owner.isPresent() ? time(leaseUntil) : leftAt;
        return lease().isPresent() || since.equals(Instant.EPOCH)
                ? Optional.empty()
                : Optional.of(Duration.between(since, now));
    }

    /** Registers the relay of this outbox. */
    static RelayDocument register(OutboxCollections outbox, RelayName relay) {
        Optional<RelayDocument> known = read(outbox);
        if (known.isEmpty()) {
            create(outbox, relay);
        } else if (known.get().name().isEmpty()) {
            outbox.relays()
                    .updateOne(
                            Filters.and(Filters.eq(Field.ID, outbox.name()), Filters.eq(NAME, BsonNull.VALUE)),
                            Updates.combine(Updates.set(NAME, relay.value()), Updates.set(PAUSED, false)));
        }
        RelayDocument document =
                read(outbox).orElseThrow(() -> refused(outbox, relay, "another that was just dropped"));
        if (!document.isOf(relay)) {
            throw refused(outbox, relay, document.name().orElse("another that was just dropped"));
        }
        return document;
    }

    private static StoreRefusedException refused(OutboxCollections outbox, RelayName relay, String other) {
        return new StoreRefusedException("Relay " + relay + " cannot read the collection "
                + outbox.records().getNamespace() + ": a record of it can be marked once, and relay " + other
                + " does that. Give this relay the name " + other + ", or drop that relay first.");
    }

    private static void create(OutboxCollections outbox, RelayName relay) {
        try {
            outbox.relays()
                    .insertOne(new BsonDocument(Field.ID, new BsonString(outbox.name()))
                            .append(NAME, new BsonString(relay.value()))
                            .append(EPOCH, new BsonInt64(0))
                            .append(OWNER, BsonNull.VALUE)
                            .append(LEASE_UNTIL, BsonNull.VALUE)
                            .append(PAUSED, BsonBoolean.FALSE)
                            .append(CHANGES, new BsonInt64(0)));
        } catch (MongoException e) {
            // Another process has registered a relay meanwhile, with this name or another.
            if (MongoFailure.of(e) != MongoFailure.DUPLICATE) {
                throw e;
            }
        }
    }

    /** @return the new epoch; empty when another holds the lease or has just taken it */
    OptionalLong acquire(OutboxCollections outbox, OwnerId owner, Duration lease) {
        if (lease().filter(held -> !held.owner().equals(owner.value()))
                .filter(held -> !held.until().isAfter(now.plus(LeaseBound.of(lease))))
                .isPresent()) {
            return OptionalLong.empty();
        }
        // A renewal since it was read moves the end of the lease, a new session the epoch.
        Bson asSeen = Filters.and(
                Filters.eq(Field.ID, outbox.name()), Filters.eq(EPOCH, epoch), Filters.eq(LEASE_UNTIL, leaseUntil));
        Bson taken = Updates.combine(
                Updates.set(EPOCH, epoch + 1), Updates.set(OWNER, owner.value()), Updates.set(LEASE_UNTIL, end(lease)));
        return outbox.relays().updateOne(asSeen, taken).getMatchedCount() == 1
                ? OptionalLong.of(epoch + 1)
                : OptionalLong.empty();
    }

    /** Counted from the time at which it was read, so it never lasts longer than its owner assumes. */
    private BsonDateTime end(Duration lease) {
        return new BsonDateTime(now.plus(lease).toEpochMilli());
    }

    boolean renew(OutboxCollections outbox, Duration lease) {
        return update(outbox, epoch, Updates.set(LEASE_UNTIL, end(lease)));
    }

    static void giveBack(OutboxCollections outbox, long epoch) {
        update(
                outbox,
                epoch,
                Updates.combine(
                        Updates.set(OWNER, null), Updates.set(LEASE_UNTIL, null), Updates.currentDate(LEFT_AT)));
    }

    private static boolean update(OutboxCollections outbox, long epoch, Bson change) {
        return outbox.relays()
                        .updateOne(Filters.and(Filters.eq(Field.ID, outbox.name()), Filters.eq(EPOCH, epoch)), change)
                        .getMatchedCount()
                == 1;
    }

    static boolean pause(OutboxCollections outbox, RelayName relay, boolean paused) {
        return update(outbox, relay, Updates.set(PAUSED, paused));
    }

    static void changed(OutboxCollections outbox, RelayName relay) {
        update(outbox, relay, Updates.inc(CHANGES, 1L));
    }

    static boolean drop(OutboxCollections outbox, RelayName relay) {
        return update(
                outbox,
                relay,
                Updates.combine(
                        Updates.set(NAME, null),
                        Updates.set(OWNER, null),
                        Updates.set(LEASE_UNTIL, null),
                        Updates.inc(EPOCH, 1L)));
    }

    private static boolean update(OutboxCollections outbox, RelayName relay, Bson change) {
        return outbox.relays()
                        .updateOne(
                                Filters.and(Filters.eq(Field.ID, outbox.name()), Filters.eq(NAME, relay.value())),
                                change)
                        .getMatchedCount()
                == 1;
    }
}
