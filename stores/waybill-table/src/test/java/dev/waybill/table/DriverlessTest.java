package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.DuplicateEventException;
import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.RelayName;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.testkit.random.Scene;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** An application on H2 does not need PostgreSQL's driver. */
class DriverlessTest {
    @Test
    void a_table_works_where_there_is_no_driver_of_postgresql() throws Exception {
        try (URLClassLoader without = new URLClassLoader(
                pathWithout("postgresql").toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            assertThatThrownBy(() -> without.loadClass("org.postgresql.Driver"))
                    .isInstanceOf(ClassNotFoundException.class);
            Callable<?> scene = (Callable<?>) without.loadClass(Scene.class.getName())
                    .getDeclaredConstructor()
                    .newInstance();

            assertThat(scene.call()).isEqualTo(1);
        }
    }

    private static List<URL> pathWithout(String name) throws Exception {
        List<URL> path = new ArrayList<>();
        String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        for (String entry : all.split(File.pathSeparator, -1)) {
            if (!new File(entry).getName().startsWith(name)) {
                path.add(new File(entry).toURI().toURL());
            }
        }
        return path;
    }

    /** What an application does, including an error of the database. */
    public static final class Scene implements Callable<Integer> {
        @Override
        public Integer call() throws Exception {
            JdbcDataSource source = new JdbcDataSource();
            source.setURL("jdbc:h2:mem:driverless;DB_CLOSE_DELAY=-1");
            TableLayout layout = TableLayout.preset("waybill");
            Event event = Event.of("placed").aggregate("Order", "4711").payload(Payload.json("{}"));
            try (Connection connection = source.getConnection()) {
                TableSchema.create(connection, layout);
                connection.setAutoCommit(false);
                JdbcOutbox.table(layout).append(connection, event);
                connection.commit();
                assertThatThrownBy(() -> JdbcOutbox.table(layout).append(connection, event))
                        .isInstanceOf(DuplicateEventException.class);
                connection.rollback();
            }
            try (RelaySession session = TableStore.on(source, layout)
                    .open(new RelayName("relay"), new OwnerId("one"), Duration.ofMinutes(1))
                    .orElseThrow()) {
                return session.claim(new Limits(10, 1_000_000))
                        .orElseThrow()
                        .events()
                        .size();
            }
        }
    }
}
