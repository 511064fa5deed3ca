package dev.waybill.server.checkup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.waybill.admin.Actor;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterCount;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.admin.LetterStaysException;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.server.cli.JournalScene;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AuditedBoxTest {
    private static final Actor ANNA = new Actor("anna", "mended");
    private static final DeadLetterEntry LETTER = new DeadLetterEntry(
            "orders.dlt",
            "7",
            "orders",
            Optional.of("evt-1"),
            "no",
            Optional.of(Instant.EPOCH),
            "billing",
            1,
            DeadLetterEntry.Contents.MESSAGE);

    private static PostgresServer server;

    private final List<String> done = new ArrayList<>();
    private StoreAdmin store;

    @BeforeAll
    static void start() {
        server = PostgresServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void create() throws SQLException {
        String database = JournalScene.create(server).database();
        store = PostgresJournal.on(server.dataSource(database)).admin();
    }

    /** Notes what is done. */
    private final class Noted implements DeadLetterBox {
        @Override
        public List<DeadLetterEntry> list(String topic, int atMost) {
            return List.of(LETTER);
        }

        @Override
        public Set<String> topics() {
            return Set.of();
        }

        @Override
        public List<DeadLetterCount> count(Collection<String> topics, int atMost) {
            return List.of();
        }

        @Override
        public Optional<DeadLetterEntry> find(String topic, String place) {
            return Optional.of(LETTER);
        }

        @Override
        public boolean sendBack(DeadLetterEntry letter, Actor by) {
            if (letter.origin().equals("nowhere")) {
                throw new LetterStaysException(letter, "there is no such topic");
            }
            if (letter.bytes() > 1) {
                throw new IllegalStateException("the broker is away");
            }
            return done.add("sent back, after " + store.audit(1).get(0).action());
        }

        @Override
        public boolean discard(DeadLetterEntry letter, Actor by) {
            return letter.bytes() > 0
                    && done.add("discarded, after " + store.audit(1).get(0).action());
        }
    }

    @Test
    void the_audit_entry_is_written_before_the_change_for_every_broker() {
        AuditedBox box = new AuditedBox(new Noted(), List.of(store));
        assertThat(box.list("orders.dlt", 10)).hasSize(1);
        assertThat(box.find("orders.dlt", "7")).isPresent();
        assertThat(store.audit(10)).isEmpty();

        assertThat(box.sendBack(LETTER, ANNA)).isTrue();
        assertThat(box.discard(LETTER, ANNA)).isTrue();

        assertThat(done).containsExactly("sent back, after send-back", "discarded, after discard-letter");
        assertThat(store.audit(10))
                .extracting(AuditEntry::details)
                .containsOnly("dead letter 7 of orders.dlt, event evt-1");
        assertThat(store.audit(10)).extracting(AuditEntry::by).containsOnly(ANNA);
    }

    /** Whoever may write a letter chooses the id of its event; it may be half a character. */
    @Test
    void any_id_of_a_letter_can_be_audited() {
        DeadLetterEntry strange = new DeadLetterEntry(
                "orders.dlt",
                "7",
                "orders",
                Optional.of("\ud800 \0 \n"),
                "no",
                Optional.of(Instant.EPOCH),
                "billing",
                1,
                DeadLetterEntry.Contents.MESSAGE);
        assertThat(new AuditedBox(new Noted(), List.of(store)).sendBack(strange, ANNA))
                .isTrue();
        assertThat(store.audit(10)).hasSize(1);
    }

    @Test
    void a_failed_change_is_in_the_audit() {
        DeadLetterEntry large = new DeadLetterEntry(
                "orders.dlt",
                "8",
                "orders",
                Optional.empty(),
                "no",
                Optional.of(Instant.EPOCH),
                "billing",
                2,
                DeadLetterEntry.Contents.MESSAGE);
        assertThatIllegalStateException()
                .isThrownBy(() -> new AuditedBox(new Noted(), List.of(store)).sendBack(large, ANNA));
        assertThat(store.audit(10)).extracting(AuditEntry::action).containsExactly("send-back-failed", "send-back");
        assertThat(store.audit(10).get(0).details()).contains("dead letter 8 of orders.dlt", "outcome unknown");
    }

    @Test
    void a_change_that_was_not_made_is_recorded() {
        DeadLetterEntry stays = new DeadLetterEntry(
                "orders.dlt",
                "9",
                "nowhere",
                Optional.empty(),
                "no",
                Optional.of(Instant.EPOCH),
                "billing",
                0,
                DeadLetterEntry.Contents.MESSAGE);
        AuditedBox box = new AuditedBox(new Noted(), List.of(store));
        assertThatExceptionOfType(LetterStaysException.class).isThrownBy(() -> box.sendBack(stays, ANNA));
        assertThat(box.discard(stays, ANNA)).isFalse();
        assertThat(store.audit(10))
                .extracting(entry -> entry.action() + " " + entry.details())
                .containsExactly(
                        "discard-letter-failed dead letter 9 of orders.dlt: not done, the letter no longer existed",
                        "discard-letter dead letter 9 of orders.dlt",
                        "send-back-failed dead letter 9 of orders.dlt: not done, the letter is kept",
                        "send-back dead letter 9 of orders.dlt");
    }

    @Test
    void a_store_that_cannot_be_told_leaves_no_entry_elsewhere_of_a_change_that_was_not_made() {
        StoreAdmin away =
                PostgresJournal.on(server.dataSource("no_such_database")).admin();
        AuditedBox box = new AuditedBox(new Noted(), List.of(store, away));
        assertThatExceptionOfType(RuntimeException.class).isThrownBy(() -> box.sendBack(LETTER, ANNA));
        assertThat(done).isEmpty();
        assertThat(store.audit(10)).extracting(AuditEntry::action).containsExactly("send-back-failed", "send-back");
        assertThat(store.audit(10).get(0).details()).contains("event evt-1: not done");
    }
}
