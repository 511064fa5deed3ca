package dev.waybill.server.cli;

import dev.waybill.admin.RelayStatus;
import dev.waybill.server.config.Installation;
import dev.waybill.spi.StoreException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        description = {
            "Looks everything over and says what to do: connection and TLS, schema, grants, the session that keeps dead rows"
                    + " from being cleared away, indexes, what orders the events, clocks, leases, abandoned relays; and with a"
                    + " configuration, whether brokers answer and topics are there. It changes nothing.",
            "It ends with 0 when all is well, 5 with warnings, 6 with problems."
        })
final class DoctorCommand implements Callable<Integer> {
    @Mixin
    private StoreChoice choice = new StoreChoice();

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() {
        DoctorReport report = new DoctorReport(output.surroundings().secrets());
        try (Stores stores = choice.open(output.surroundings())) {
            stores.all().forEach(store -> {
                report.add("store " + store.name(), store.admin().examine());
                relays(store, report);
            });
            stores.installation().ifPresent(installation -> brokers(installation, report));
        }
        if (output.isJson()) {
            output.json(report.json());
        } else {
            report.lines(output.terminal()).forEach(output::line);
        }
        return report.code().number();
    }

    private static void relays(Stores.Named store, DoctorReport report) {
        List<RelayStatus> relays;
        try {
            relays = store.admin().relays();
        } catch (StoreException e) {
            return; // what is wrong with the store was found by its own examination
        }
        Set<String> missing = new HashSet<>(store.configured());
        relays.forEach(relay -> {
            missing.remove(relay.name());
            report.add("relay " + relay.name(), RelayCheckup.of(relay));
        });
        store.configured().stream()
                .filter(missing::contains)
                .forEach(relay -> report.add("relay " + relay, List.of(RelayCheckup.neverRan())));
    }

    private static void brokers(Installation installation, DoctorReport report) {
        for (String destination : installation.destinations()) {
            Set<String> topics = new TreeSet<>();
            for (String relay : installation.relays()) {
                if (installation.destinationOf(relay).equals(destination)) {
                    topics.addAll(LikelyTopics.of(
                            installation.route(relay), installation.admin(installation.storeOf(relay))));
                }
            }
            report.add(
                    "destination " + destination,
                    installation.checkup(destination).examine(topics));
        }
    }
}
