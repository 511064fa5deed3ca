package dev.waybill.trials;

import dev.waybill.format.Format;
import dev.waybill.format.Formatted;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.kafka.KafkaDestination;
import dev.waybill.relay.Relay;
import dev.waybill.relay.RelayOptions;
import dev.waybill.relay.RelayOptions.BatchSize;
import dev.waybill.relay.RelayPlan;
import dev.waybill.route.Route;
import dev.waybill.spi.Destination;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.table.TableOptions;
import dev.waybill.table.TableStore;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.mariadb.jdbc.MariaDbDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A relay that competes with others for the rows of a table, in a form that can be passed to another process. Every
 * message names the process that sent it.
 *
 * @param layout the name of a preset
 */
record TableRelaySettings(String url, String kafka, String layout, String topic, Duration lease) {
    static final String SENDER = "trial-sender";

    List<String> arguments() {
        return List.of(url, kafka, layout, topic, lease.toString());
    }

    static TableRelaySettings of(String... arguments) {
        return new TableRelaySettings(
                arguments[0], arguments[1], arguments[2], arguments[3], Duration.parse(arguments[4]));
    }

    Destination destination() {
        return KafkaDestination.of(Map.of("bootstrap.servers", kafka));
    }

    /** Few small batches, so that rows are left for the other processes. */
    RelayPlan plan(Destination destination) {
        TableOptions competing = TableOptions.defaults().claiming(TableOptions.Claiming.COMPETING);
        return Relay.named("competing")
                .from(TableStore.on(dataSource(), TableLayout.preset(layout), competing))
                .to(destination)
                .route(Route.fixed(topic))
                .format(signed(Format.raw()))
                .options(RelayOptions.defaults()
                        .lease(lease)
                        .batch(new BatchSize(50, 1_000_000))
                        .inFlight(new RelayOptions.InFlight(2, 10_000_000))
                        .poll(new RelayOptions.Poll(Duration.ofMillis(20), Duration.ofMillis(50))));
    }

    private static Format signed(Format format) {
        byte[] pid = Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8);
        return event -> {
            Formatted formatted = format.format(event);
            List<Header> headers = new ArrayList<>(formatted.headers());
            headers.add(new Header(SENDER, pid));
            return new Formatted(formatted.value(), headers);
        };
    }

    DataSource dataSource() {
        if (url.startsWith("jdbc:mariadb:")) {
            try {
                return new MariaDbDataSource(url);
            } catch (SQLException e) {
                throw new IllegalArgumentException("The address of the database is wrong.", e);
            }
        }
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        return source;
    }
}
