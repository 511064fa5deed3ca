package dev.waybill.connect;

import dev.waybill.jdbc.layout.TableColumn;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.jdbc.layout.TableLayoutBuilder;
import dev.waybill.postgres.JournalOptions;
import dev.waybill.postgres.PostgresJournal;
import dev.waybill.postgres.WaitFor;
import dev.waybill.spi.EventStore;
import dev.waybill.table.TableOptions;
import dev.waybill.table.TableStore;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.types.Password;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** The store of a task. Methods throw {@link IllegalArgumentException} with the reason if the configuration cannot be used. */
record StoreSettings(AbstractConfig config) {
    private static final String POSTGRESQL = "jdbc:postgresql:";
    private static final String LAYOUT = ConnectorKeys.STORE_LAYOUT + ".";
    private static final String COLUMNS = "columns.";
    private static final int LOGIN_SECONDS = 10;

    private static final Set<String> LAYOUT_KEYS =
            Set.of("table", "schema", "id-kind", "aggregate-id-kind", "payload-kind", "published", "aggregate-type");

    boolean isJournal() {
        return ConnectorKeys.JOURNAL.equals(config.getString(ConnectorKeys.STORE_TYPE));
    }

    EventStore store() {
        return isJournal() ? journal() : TableStore.on(dataSource(), layout(), tableOptions());
    }

    PostgresJournal journal() {
        return journal(constant(JournalOptions.Start.class, config.getString(ConnectorKeys.STORE_START)));
    }

    PostgresJournal journal(JournalOptions.Start start) {
        WaitFor.Stage stage = constant(WaitFor.Stage.class, config.getString(ConnectorKeys.STORE_WAIT_FOR));
        JournalOptions options = JournalOptions.defaults()
                .start(start)
                .waitFor(new WaitFor(stage, config.getList(ConnectorKeys.STORE_STANDBYS)));
        @Nullable String environment = config.getString(ConnectorKeys.STORE_ENVIRONMENT);
        return PostgresJournal.on(dataSource(), environment == null ? options : options.environment(environment));
    }

    /** Opens a new connection each time: a relay keeps its own for as long as it runs. */
    DataSource dataSource() {
        @Nullable String url = config.getString(ConnectorKeys.STORE_URL);
        if (url == null || !url.startsWith(POSTGRESQL)) {
            throw new IllegalArgumentException("the url does not begin with " + POSTGRESQL + ", as in " + POSTGRESQL
                    + "//localhost:5432/orders: give the address of a PostgreSQL");
        }
        if (url.matches("(?i).*[?&]password=.*")) {
            throw new IllegalArgumentException(
                    "the url contains a password, which drivers log: give it with the key" + " store.password instead");
        }
        PGSimpleDataSource source = new PGSimpleDataSource();
        try {
            source.setUrl(url);
        } catch (IllegalArgumentException e) {
            // Its message quotes the URL.
            throw new IllegalArgumentException(
                    "the driver does not accept the url: use " + POSTGRESQL + "//HOST:PORT/DATABASE");
        }
        Optional.ofNullable(config.getString(ConnectorKeys.STORE_USER)).ifPresent(source::setUser);
        Optional.ofNullable(config.getPassword(ConnectorKeys.STORE_PASSWORD))
                .map(Password::value)
                .ifPresent(source::setPassword);
        source.setApplicationName("waybill-connect");
        source.setLoginTimeout(LOGIN_SECONDS);
        return source;
    }

    TableOptions tableOptions() {
        TableOptions options = TableOptions.defaults();
        return config.getBoolean(ConnectorKeys.STORE_COMPETING)
                ? options.claiming(TableOptions.Claiming.COMPETING)
                : options;
    }

    /** The preset with its changes. */
    TableLayout layout() {
        @Nullable String preset = config.getString(ConnectorKeys.STORE_LAYOUT);
        if (preset == null) {
            throw new IllegalArgumentException(
                    "a table needs a layout: give one of " + String.join(", ", ConnectorKeys.PRESETS));
        }
        Map<String, Object> changes = config.originalsWithPrefix(LAYOUT);
        requireKnown(changes.keySet());
        TableLayout base = TableLayout.preset(preset);
        String table = text(changes, "table").orElse(base.table());
        TableLayoutBuilder layout = base.change();
        layout = text(changes, "schema").isPresent()
                ? layout.table(text(changes, "schema").get(), table)
                : layout.table(table);
        for (TableColumn column : TableColumn.values()) {
            Optional<String> name = text(changes, COLUMNS + written(column));
            if (name.isPresent()) {
                layout.column(column, name.get());
            }
        }
        text(changes, "id-kind")
                .map(kind -> constant(TableLayout.IdKind.class, kind))
                .ifPresent(layout::idKind);
        text(changes, "aggregate-id-kind")
                .map(kind -> constant(TableLayout.IdKind.class, kind))
                .ifPresent(layout::aggregateIdKind);
        text(changes, "payload-kind")
                .map(kind -> constant(TableLayout.PayloadKind.class, kind))
                .ifPresent(layout::payloadKind);
        text(changes, "published")
                .map(published -> constant(TableLayout.Published.class, published))
                .ifPresent(layout::published);
        text(changes, "aggregate-type").ifPresent(layout::aggregateType);
        TableLayout built = layout.build();
        tableOptions().problemWith(built).ifPresent(problem -> {
            throw new IllegalArgumentException(problem);
        });
        return built;
    }

    private static void requireKnown(Set<String> keys) {
        Set<String> known = new TreeSet<>(LAYOUT_KEYS);
        for (TableColumn column : TableColumn.values()) {
            known.add(COLUMNS + written(column));
        }
        for (String key : keys) {
            if (!known.contains(key)) {
                throw new IllegalArgumentException(
                        LAYOUT + key + " is not known: use one of " + String.join(", ", known));
            }
        }
    }

    private static Optional<String> text(Map<String, Object> values, String key) {
        return Optional.ofNullable(values.get(key)).map(Object::toString);
    }

    static <E extends Enum<E>> E constant(Class<E> type, String word) {
        return Arrays.stream(type.getEnumConstants())
                .filter(each -> written(each).equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("\"" + word + "\" is none of "
                        + String.join(
                                ", ",
                                Arrays.stream(type.getEnumConstants())
                                        .map(StoreSettings::written)
                                        .toList())));
    }

    private static String written(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
