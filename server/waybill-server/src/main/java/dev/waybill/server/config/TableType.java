package dev.waybill.server.config;

import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.table.TableOptions;
import dev.waybill.table.TableSchema;
import dev.waybill.table.TableStore;
import dev.waybill.table.TimeRange;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** An existing outbox table. */
final class TableType implements StoreType {
    @Override
    public String name() {
        return "table";
    }

    @Override
    public boolean takesSeveralRelays() {
        return false;
    }

    @Override
    public Supplier<OpenStore> read(Section section) {
        DataSource dataSource = JdbcAddress.of(section).dataSource();
        TableLayout layout = section.findSection("layout")
                .map(ConfiguredLayout::of)
                .orElseGet(() -> TableLayout.preset(section.text("layout")));
        TableStore store = TableStore.on(dataSource, layout, options(section));
        Schema schema = Schema.on(
                dataSource, connection -> TableSchema.create(connection, layout).inWords(layout));
        return () -> new OpenStore(store, store.admin(), Optional.of(store.replays()), schema, () -> {});
    }

    private static TableOptions options(Section section) {
        Section created = section.section("created");
        TableOptions options = TableOptions.defaults()
                .created(new TimeRange(created.find("from", Instant.class), created.find("until", Instant.class)))
                .onPermanentError(section.get("on-permanent-error", TableOptions.OnPermanentError.class));
        if (section.get("competing", Boolean.class)) {
            options = options.claiming(TableOptions.Claiming.COMPETING);
        }
        return section.findText("guard").map(options::guard).orElse(options);
    }
}
