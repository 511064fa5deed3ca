package dev.waybill.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jdbc.layout.TableState;
import dev.waybill.server.secrets.Secrets;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;

class ConfiguredLayoutTest {
    private static TableLayout layout(String yaml) {
        Findings findings = new Findings(new References(Map.<String, String>of()::get, Path.of("")), new Secrets());
        Section section = new Compose(LoadSettings.builder().setUseMarks(true).build())
                .composeString(yaml)
                .flatMap(node -> SchemaReader.read(node, ConfigurationSchema.definition("layout"), Place.top(findings)))
                .orElseThrow()
                .section();
        assertThat(findings.mistakes()).isEmpty();
        return ConfiguredLayout.of(section);
    }

    @Test
    void every_column_and_kind_can_be_named() {
        TableLayout layout = layout("""
                schema: sales
                table: my_outbox
                columns: { id: pk, type: kind, aggregate-id: about, payload: body, created-at: at, state: st }
                id-kind: uuid
                aggregate-id-kind: number
                payload-kind: text
                state: { by: words, pending: OPEN, published: DONE, dead: BAD }
                times-in: Europe/Rome
                aggregate-type: order
                """);
        assertThat(layout.tableName()).isEqualTo("sales.my_outbox");
        assertThat(layout.column(TableColumn.CREATED_AT)).contains("at");
        assertThat(layout.idKind()).isEqualTo(TableLayout.IdKind.UUID);
        assertThat(layout.aggregateIdKind()).isEqualTo(TableLayout.IdKind.NUMBER);
        assertThat(layout.payloadKind()).isEqualTo(TableLayout.PayloadKind.TEXT);
        assertThat(layout.state()).isEqualTo(new TableState.Words("OPEN", "DONE", Optional.of("BAD")));
        assertThat(layout.zone()).contains(ZoneId.of("Europe/Rome"));
        assertThat(layout.aggregateType()).contains("order");
    }

    @Test
    void a_preset_is_changed_only_by_given_keys() {
        TableLayout layout = layout("{ preset: pubsub, table: mine, max-attempts: 3, columns: { error: why } }");
        assertThat(layout.table()).isEqualTo("mine");
        assertThat(layout.maxAttempts()).isEqualTo(3);
        assertThat(layout.column(TableColumn.ERROR)).contains("why");
        assertThat(layout.column(TableColumn.PAYLOAD)).contains("payload_json");
        assertThat(layout.state()).isEqualTo(new TableState.PublishedTime());
    }

    @Test
    void a_table_whose_published_rows_are_deleted_needs_no_state_and_no_time() {
        TableLayout layout = layout("""
                table: my_outbox
                published: delete
                columns: { id: pk, type: kind, aggregate-id: about, payload: body, sequence: n }
                """);
        assertThat(layout.deletesPublished()).isTrue();
        assertThat(layout.state()).isEqualTo(new TableState.Presence());
        assertThat(layout.isOrdered()).isTrue();
        assertThat(layout("{ preset: orders, published: delete }").state())
                .isEqualTo(TableLayout.orders().state());
        assertThat(layout("{ preset: debezium, columns: { sequence: seq } }").deletesPublished())
                .isTrue();
    }
}
