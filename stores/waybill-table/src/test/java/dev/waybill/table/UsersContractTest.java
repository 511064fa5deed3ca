package dev.waybill.table;

import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.tck.StoreContract;
import dev.waybill.tck.StoreHarness;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Outbox tables fulfil the contract of stores on every version, while producers, relays and operators have only the privileges
 * of their roles.
 */
@ParameterizedClass(name = "{0}, {1}")
@MethodSource("places")
class UsersContractTest extends StoreContract {
    private static final DatabasesOfUsers DATABASES = new DatabasesOfUsers();
    private static final Map<List<String>, Granted> GRANTED = new HashMap<>();

    @Parameter(0)
    String database;

    @Parameter(1)
    String layout;

    private record Granted(LayoutDatabase database, TableLayout layout, Users users) {}

    static Stream<Arguments> places() {
        List<String> layouts = Boolean.getBoolean("waybill.full")
                ? List.of("waybill", "notifications", TablesContractTest.DELETED_ORDERS)
                : List.of("waybill");
        return DatabasesOfUsers.others()
                .flatMap(database -> layouts.stream().map(layout -> Arguments.of(database, layout)));
    }

    @AfterAll
    static void stopServers() {
        DATABASES.close();
    }

    @Override
    protected StoreHarness newStore() {
        Granted granted = GRANTED.computeIfAbsent(List.of(database, layout), place -> create());
        return new TableHarness(granted.database(), granted.layout(), granted.users());
    }

    private Granted create() {
        TableLayout tables = TablesContractTest.layout(layout);
        LayoutDatabase empty = DATABASES.create(database);
        try {
            empty.create(tables);
            return new Granted(empty, tables, Users.grantedOn(empty, tables));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
