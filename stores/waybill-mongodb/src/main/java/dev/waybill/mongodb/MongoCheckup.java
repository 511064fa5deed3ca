package dev.waybill.mongodb;

import com.mongodb.MongoException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Filters;
import dev.waybill.admin.ClockSkew;
import dev.waybill.admin.Finding;
import dev.waybill.admin.LeasesAhead;
import dev.waybill.spi.TlsFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.BsonInt32;

/** Checks an outbox in MongoDB and its server. */
final class MongoCheckup {
    private static final int MOST_COUNTED = 10_000;

    private final OutboxCollections outbox;
    private final List<Finding> findings = new ArrayList<>();

    MongoCheckup(OutboxCollections outbox) {
        this.outbox = outbox;
    }

    /** A check that fails is a finding itself and does not stop the others. Without a server there are no further checks. */
    List<Finding> findings() {
        try {
            look("connection", this::server);
            look("transactions", this::transactions);
            look("indexes", this::indexes);
            look("records", this::records);
            look("clock", this::clock);
            leaseAhead().ifPresent(findings::add);
            findings.add(
                    Finding.fine(
                            "order",
                            "records are published in the order of created_at; for equal times of one entity, of entity_version"));
            return List.copyOf(findings);
        } catch (MongoTimeoutException e) {
            Optional<TlsFailure> tls = TlsFailure.of(e);
            return List.of(Finding.problem(
                    "connection",
                    "MongoDB cannot be reached"
                            + tls.map(failure -> ": " + failure.what()).orElse(""),
                    tls.map(TlsFailure::remedy)
                            .orElse("Start it, or correct its address, user and password; relays keep retrying by"
                                    + " themselves.")));
        }
    }

    private void look(String subject, Supplier<Finding> look) {
        try {
            findings.add(look.get());
        } catch (MongoTimeoutException e) {
            throw e;
        } catch (MongoException e) {
            findings.add(Finding.warning(
                    subject,
                    "cannot be determined (" + MongoFailure.withoutValues(e).getMessage() + ")",
                    "Run this check as a user that may read the database, its indexes and the server's build."));
        }
    }

    private Finding server() {
        BsonDocument build = ask("buildInfo");
        return Finding.fine(
                "connection",
                "MongoDB " + build.getString("version").getValue() + ", collection "
                        + outbox.records().getNamespace());
    }

    private Finding transactions() {
        BsonDocument hello = ask("isMaster");
        boolean set = hello.containsKey("setName") || "isdbgrid".equals(text(hello, "msg"));
        return set
                ? Finding.fine(
                        "transactions", "the server is a member of a replica set, so applications can append in them")
                : Finding.problem(
                        "transactions",
                        "the server is not a member of a replica set, so no application can append in a transaction",
                        "Make it a replica set (one server is enough) and name it in the uri with replicaSet.");
    }

    private Finding indexes() {
        List<String> missing = MongoSchema.missing(outbox);
        return missing.isEmpty()
                ? Finding.fine("indexes", "all exist")
                : Finding.problem(
                        "indexes",
                        "missing: " + String.join(", ", missing)
                                + "; relays refuse to start, or read the whole collection",
                        "Run waybill init with the configuration, or MongoSchema.create.");
    }

    private Finding records() {
        long unknown = outbox.records()
                .countDocuments(
                        Filters.nin(Field.STATUS, Field.PENDING, Field.PROCESSING, Field.PUBLISHED, Field.FAILED),
                        new CountOptions().limit(MOST_COUNTED));
        return unknown == 0
                ? Finding.fine("records", "all have a status that a relay knows")
                : Finding.problem(
                        "records",
                        (unknown == MOST_COUNTED ? "at least " : "") + unknown
                                + " have no status, or one that no relay knows: they are never published",
                        "Set their status to pending, or to published if they must not be sent.");
    }

    private Finding clock() {
        ClockSkew skew = ClockSkew.begin();
        Optional<RelayDocument> relay = RelayDocument.read(outbox);
        return relay.map(document -> skew.finding(document.now().toEpochMilli() / 1000.0))
                .orElseGet(() -> Finding.fine("clock", "not checked: no relay has read this outbox yet"));
    }

    private Optional<Finding> leaseAhead() {
        return RelayDocument.read(outbox)
                .flatMap(document -> document.lease()
                        .map(lease -> Duration.between(document.now(), lease.until()))
                        .filter(ahead -> ahead.compareTo(LeasesAhead.FAR) > 0)
                        .map(ahead -> LeasesAhead.finding(
                                document.name().orElse("a dropped relay") + " in " + ahead.toSeconds() + " s")));
    }

    private BsonDocument ask(String command) {
        return outbox.database().runCommand(new BsonDocument(command, new BsonInt32(1)), BsonDocument.class);
    }

    private static String text(BsonDocument document, String field) {
        return document.isString(field) ? document.getString(field).getValue() : "";
    }
}
