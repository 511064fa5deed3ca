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

/** An outbox table that people have. */
final class TableType implements StoreType {
    private static final Key<NameOr.Choice<String, Section>> LAYOUT = Key.required(
            "layout",
            new NameOr<>(LayoutBlock.PRESETS, LayoutBlock.BLOCK),
            "What the table looks like: the name of a preset, or a layout of one's own.");
    private static final Key<Boolean> COMPETING = Key.standard(
            "competing",
            Scalars.FLAG,
            false,
            "Whether several processes publish from the table at once, each with a lease on its rows. Without order.");
    private static final Key<TableOptions.OnPermanentError> ON_PERMANENT_ERROR = Key.standard(
            "on-permanent-error",
            Scalars.choice(TableOptions.OnPermanentError.class),
            Scalars.written(TableOptions.defaults().onPermanentError()),
            "What becomes of a row that was given up, where the layout has no word for it: kept for a person, or marked as"
                    + " published with its error stored.");
    private static final Key<String> GUARD =
            Key.optional("guard", Scalars.TEXT, "A table, such as ProcessedEvent, that records what was published.");
    private static final Key<Instant> FROM =
            Key.optional("from", Scalars.INSTANT, "Only rows that were created then or later …");
    private static final Key<Instant> UNTIL = Key.optional("until", Scalars.INSTANT, "… and before then.");
    private static final Key<Section> CREATED = Key.optional(
            "created",
            Block.of(FROM, UNTIL),
            "The time range of the rows that are published; all of them" + " unless it is given.");
    private static final Block BLOCK = Block.of(
            JdbcKeys.URL, JdbcKeys.USER, JdbcKeys.PASSWORD, LAYOUT, COMPETING, ON_PERMANENT_ERROR, GUARD, CREATED);

    @Override
    public String name() {
        return "table";
    }

    @Override
    public String doc() {
        return "An outbox table on PostgreSQL or MariaDB, as it is. One relay reads it, for a row is marked once.";
    }

    @Override
    public Block block() {
        return BLOCK;
    }

    @Override
    public boolean takesSeveralRelays() {
        return false;
    }

    @Override
    public Supplier<OpenStore> read(Section section) {
        DataSource dataSource = JdbcKeys.dataSource(section);
        NameOr.Choice<String, Section> choice = section.get(LAYOUT);
        TableLayout layout = choice.itself()
                .map(LayoutBlock::layout)
                .orElseGet(() -> TableLayout.preset(choice.name().orElseThrow()));
        TableStore store = TableStore.on(dataSource, layout, options(section));
        Schema schema = Schema.on(
                dataSource, connection -> TableSchema.create(connection, layout).inWords(layout));
        return () -> new OpenStore(store, store.admin(), Optional.of(store.replays()), schema, () -> {});
    }

    private static TableOptions options(Section section) {
        Section created = section.get(CREATED);
        TableOptions options = TableOptions.defaults().created(new TimeRange(created.find(FROM), created.find(UNTIL)));
        if (section.get(COMPETING)) {
            options = options.claiming(TableOptions.Claiming.COMPETING);
        }
        if (section.get(ON_PERMANENT_ERROR) == TableOptions.OnPermanentError.MARK_PUBLISHED) {
            options = options.onPermanentError(TableOptions.OnPermanentError.MARK_PUBLISHED);
        }
        return section.find(GUARD).map(options::guard).orElse(options);
    }
}
