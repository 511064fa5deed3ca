package dev.waybill.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.jdbc.layout.TableDialect;
import dev.waybill.jdbc.layout.TableLayout;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.RelaySession;
import dev.waybill.tck.Seeds;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Transactions begin, append, commit and roll back in a random order, and a relay reads between any two of these steps. Each
 * key has one open transaction at a time, as if its aggregate were locked first.
 */
class RandomCommitsTest {
    private static final int STEPS = 600;
    private static final int KEYS = 12;

    private final Map<String, Connection> open = new TreeMap<>();
    private final Map<String, List<String>> appended = new HashMap<>();
    private final Map<String, List<String>> committed = new HashMap<>();
    private final Map<String, String> keys = new HashMap<>();
    private final List<String> published = new ArrayList<>();

    static Stream<Arguments> everywhere() {
        return TablesContractTest.presets()
                .filter(place -> List.of("waybill", "pubsub").contains(place.get()[1]));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("everywhere")
    void whatever_the_order_of_commits_every_row_comes_once_and_in_the_order_of_its_key(
            TableDialect dialect, String preset) throws SQLException {
        long seed = Seeds.one();
        System.out.println(dialect + ", " + preset + ": seed of random commits " + seed);
        Random random = new Random(seed);
        try (TableFixture fixture = new TableFixture(dialect, TableLayout.preset(preset))) {
            RelaySession session = fixture.open("one");
            for (int step = 0; step < STEPS; step++) {
                if (random.nextInt(3) == 0) {
                    publish(session, new Limits(1 + random.nextInt(8), 1_000_000));
                } else {
                    write(fixture, "k" + random.nextInt(KEYS), random);
                }
            }
            for (String key : List.copyOf(open.keySet())) {
                end(key, true);
            }
            while (publish(session, TableFixture.PLENTY)) {}
        }
        Map<String, List<String>> came = new HashMap<>();
        published.forEach(id ->
                came.computeIfAbsent(keys.get(id), key -> new ArrayList<>()).add(id));
        assertThat(published).as("seed %s", seed).doesNotHaveDuplicates();
        assertThat(came).as("seed %s", seed).isEqualTo(committed);
    }

    private void write(TableFixture fixture, String key, Random random) throws SQLException {
        Connection transaction = open.get(key);
        if (transaction == null || random.nextInt(4) == 0) {
            if (transaction == null) {
                transaction = fixture.database.begin();
                open.put(key, transaction);
            }
            String id = fixture.append(transaction, key);
            keys.put(id, key);
            appended.computeIfAbsent(key, any -> new ArrayList<>()).add(id);
        } else if (random.nextInt(3) == 0) {
            end(key, random.nextInt(5) > 0);
        }
    }

    private void end(String key, boolean commits) throws SQLException {
        List<String> ids = appended.remove(key);
        try (Connection transaction = open.remove(key)) {
            if (commits) {
                transaction.commit();
                committed.computeIfAbsent(key, any -> new ArrayList<>()).addAll(ids);
            } else {
                transaction.rollback();
            }
        }
    }

    private boolean publish(RelaySession session, Limits limits) {
        Optional<Batch> batch = session.claim(limits);
        batch.ifPresent(given -> {
            published.addAll(TableFixture.ids(given));
            TableFixture.publish(session, given);
        });
        return batch.isPresent();
    }
}
