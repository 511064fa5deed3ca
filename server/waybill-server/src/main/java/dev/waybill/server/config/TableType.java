package dev.waybill.server.config;

import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.table.ProcessedEvents;
import dev.waybill.table.TableOptions;
import dev.waybill.table.TableSchema;
import dev.waybill.table.TableStore;
import dev.waybill.table.TimeRange;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** An existing outbox table. */
final class TableType implements StoreType {
    private static final String MAX_ATTEMPTS = "max-attempts";

    @Override
    public String name() {
        return "table";
    }

    @Override
    public boolean savesWindows() {
        return false;
    }

    @Override
    public boolean takesSeveralRelays() {
        return false;
    }

    @Override
    public Optional<StoreDefaults> relayDefaults(Section section) {
        TableLayout layout = layout(section);
        String origin = section.findText("layout")
                .or(() -> section.section("layout").findText("preset"))
                .map(name -> "preset " + name)
                .orElse("layout");
        boolean limited = layout.countsAttempts()
                && section.section("layout").findText(MAX_ATTEMPTS).isPresent();
        return Optional.of(new StoreDefaults(
                origin,
                limited ? MAX_ATTEMPTS + " of the layout" : origin,
                layout.relayDefaults(),
                layout.countsAttempts() ? OptionalInt.of(layout.maxAttempts()) : OptionalInt.empty()));
    }

    private static TableLayout layout(Section section) {
        return section.findSection("layout")
                .map(ConfiguredLayout::of)
                .orElseGet(() -> TableLayout.preset(section.text("layout"))
                        .change()
                        .fromFile()
                        .build());
    }

    @Override
    public Supplier<OpenStore> read(Section section) {
        DataSource dataSource = JdbcAddress.of(section).dataSource();
        TableLayout layout = layout(section);
        TableOptions options = options(section);
        options.problemWith(layout).ifPresent(problem -> {
            throw new IllegalArgumentException(problem);
        });
        TableStore store = TableStore.on(dataSource, layout, options);
        Schema schema = Schema.on(dataSource, connection -> create(connection, layout, options.guard()));
        return () -> new OpenStore(store, store.admin(), Optional.of(store.replays()), schema, () -> {});
    }

    private static String create(Connection connection, TableLayout layout, Optional<String> guard)
            throws SQLException {
        String created = TableSchema.create(connection, layout).inWords(layout);
        if (guard.isEmpty()) {
            return created;
        }
        ProcessedEvents.create(connection, layout, guard.get());
        return created + "; its guard " + guard.get() + " is there";
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
