package dev.waybill.table;

import dev.waybill.admin.ReplayAdmin;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.jdbc.DatabaseRoles;
import dev.waybill.jdbc.layout.TableLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import javax.sql.DataSource;

/** Users of a database with the privileges that producers, relays and operators are granted, and no others. */
record Users(DataSource producer, DataSource relay, DataSource operator) {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    static Users grantedOn(LayoutDatabase database, TableLayout layout) throws SQLException {
        int number = NUMBER.incrementAndGet();
        DatabaseRoles roles = DatabaseRoles.NONE
                .producer("as_producer_" + number)
                .relay("as_relay_" + number)
                .operator("as_operator_" + number);
        String producer = roles.producer().orElseThrow();
        String relay = roles.relay().orElseThrow();
        String operator = roles.operator().orElseThrow();
        database.createLogin(producer);
        database.createLogin(relay);
        database.createLogin(operator);
        try (Connection connection = database.connect()) {
            TableSchema.grant(connection, layout, roles);
        }
        return new Users(database.as(producer), database.as(relay), database.as(operator));
    }

    /** As operators and relays have it: relays delete old rows. */
    StoreAdmin admin(TableLayout layout) {
        return divided(
                StoreAdmin.class,
                TableStore.on(relay, layout).admin(),
                TableStore.on(operator, layout).admin(),
                method -> method.equals("purge"));
    }

    /** As operators and relays have it: relays open the store of replays. */
    ReplayAdmin replays(TableLayout layout, TableStore ofRelay) {
        return divided(
                ReplayAdmin.class,
                ofRelay.replays(),
                TableStore.on(operator, layout).replays(),
                method -> method.equals("store"));
    }

    private static <T> T divided(Class<T> type, T relay, T operator, Predicate<String> ofRelay) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(ofRelay.test(method.getName()) ? relay : operator, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
