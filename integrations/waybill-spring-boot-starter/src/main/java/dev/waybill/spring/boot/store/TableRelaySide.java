package dev.waybill.spring.boot.store;

import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spring.boot.properties.StoreProperties;
import dev.waybill.spring.boot.store.WaybillStore.RelaySide;
import dev.waybill.table.TableOptions;
import dev.waybill.table.TableStore;
import dev.waybill.table.TimeRange;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.util.ClassUtils;

/** An outbox table as relays read it. */
final class TableRelaySide {
    private TableRelaySide() {}

    static RelaySide open(String store, StoreProperties properties, TableLayout layout, DataSource application) {
        if (!ClassUtils.isPresent("dev.waybill.table.TableStore", TableRelaySide.class.getClassLoader())) {
            throw new IllegalStateException(
                    "Store " + store + " is a table, but the module waybill-table, which reads tables,"
                            + " is not on the class path: add it to the dependencies.");
        }
        TableStore table =
                TableStore.on(RelayConnections.of(store, properties, application), layout, options(properties));
        return new RelaySide(table, table.admin(), Optional.of(table.replays()), () -> {});
    }

    private static TableOptions options(StoreProperties properties) {
        TableOptions options = TableOptions.defaults()
                .created(new TimeRange(
                        Optional.ofNullable(properties.created().from()),
                        Optional.ofNullable(properties.created().until())))
                .onPermanentError(
                        switch (properties.onPermanentError()) {
                            case KEEP -> TableOptions.OnPermanentError.KEEP;
                            case MARK_PUBLISHED -> TableOptions.OnPermanentError.MARK_PUBLISHED;
                        });
        if (properties.competing()) {
            options = options.claiming(TableOptions.Claiming.COMPETING);
        }
        return properties.guard() == null ? options : options.guard(properties.guard());
    }
}
