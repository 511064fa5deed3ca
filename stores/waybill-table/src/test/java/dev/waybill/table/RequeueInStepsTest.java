package dev.waybill.table;

import static dev.waybill.table.TableFixture.PLENTY;
import static dev.waybill.table.TableFixture.RELAY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.Actor;
import dev.waybill.admin.AuditEntry;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.RequeuePreview;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** More rows than one transaction changes. */
class RequeueInStepsTest {
    private static final Actor ANNA = new Actor("anna", "the broker is mended");
    private static final Selection ALL_DEAD = Selection.all(ParkedState.DEAD);

    @Test
    void dead_rows_are_requeued_and_discarded_in_steps() throws SQLException {
        try (TableFixture fixture = new TableFixture(TableDialect.H2, TableLayout.preset("polyshop"))) {
            fixture.appendMany(1_200);
            try (RelaySession session = fixture.open("one")) {
                for (Optional<Batch> batch = session.claim(PLENTY); batch.isPresent(); batch = session.claim(PLENTY)) {
                    Settlement dead = new Settlement.Dead("refused", true, false);
                    session.settle(
                            batch.get(),
                            Collections.nCopies(batch.get().events().size(), dead));
                }
            }
            StoreAdmin admin = fixture.store().admin();

            assertThat(admin.previewRequeue(RELAY, ALL_DEAD))
                    .returns(1_200, RequeuePreview::found)
                    .returns(1_200, RequeuePreview::late)
                    .returns(true, RequeuePreview::exact);
            assertThat(admin.requeue(RELAY, ALL_DEAD, ANNA)).isEqualTo(1_200);
            assertThat(admin.discard(RELAY, Selection.all(ParkedState.DUE), ANNA))
                    .isEqualTo(1_200);
            assertThat(admin.audit(10))
                    .extracting(AuditEntry::details)
                    .containsExactly("1200 events matching: all due", "1200 events matching: all dead");
            assertThat(TableFixture.drain(fixture.open("two"))).isEmpty();
        }
    }

    /** Otherwise they would not wait for anything any more when it is their turn. */
    @Test
    void rows_that_wait_are_discarded_before_the_row_that_they_wait_for() throws SQLException {
        try (TableFixture fixture = new TableFixture(TableDialect.H2, TableLayout.preset("polyshop"))) {
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < 1_100; i++) {
                ids.add(fixture.append("a"));
            }
            try (RelaySession session = fixture.open("one")) {
                Batch batch = session.claim(PLENTY).orElseThrow();
                List<Settlement> settlements =
                        new ArrayList<>(Collections.nCopies(batch.events().size(), Settlement.BEHIND));
                settlements.set(0, new Settlement.Dead("refused", true, true));
                session.settle(batch, settlements);
            }

            StoreAdmin admin = fixture.store().admin();
            assertThat(admin.discard(RELAY, Selection.of(ids), ANNA)).isEqualTo(1_100);
            assertThat(admin.audit(10))
                    .extracting(AuditEntry::details)
                    .satisfiesExactly(
                            last -> assertThat(last).startsWith("1000 events: " + ids.get(0) + ", "),
                            first ->
                                    assertThat(first).startsWith("100 events: ").doesNotContain("not changed"));
            assertThat(TableFixture.drain(fixture.open("two"))).isEmpty();
        }
    }
}
