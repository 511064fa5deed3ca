package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.embedded.MariaDbServer;
import dev.waybill.trials.Messages.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Four processes compete for the rows of one table. In normal running each row is sent once; when one of them is killed, only
 * the rows it had leased may be sent again.
 */
@Tag("full")
class CompetingRelaysTest {
    private static final int ROWS = 10_000;
    private static final int PROCESSES = 4;
    /** A lease that a process can keep even on a busy machine. */
    private static final Duration LONG = Duration.ofSeconds(30);
    /** How long the others wait for the rows of a killed process. */
    private static final Duration SHORT = Duration.ofSeconds(10);

    @ParameterizedTest
    @EnumSource
    void four_processes_send_each_row_once(ContestedTable table) throws Exception {
        sendEachRowOnce(table);
    }

    @ParameterizedTest
    @EnumSource
    void when_one_is_killed_only_rows_it_had_leased_are_sent_again(ContestedTable table) throws Exception {
        killOne(table);
    }

    private static void sendEachRowOnce(ContestedTable table) throws Exception {
        try (Trial trial = begin(table)) {
            Contest contest = Contest.start(trial, table, PROCESSES, LONG);
            contest.append(ROWS);
            contest.awaitPublished(ROWS);

            List<Message> messages = Messages.on(contest.topic());
            trial.say(messages.size() + " messages, by process " + bySender(messages));
            assertThat(ids(messages)).hasSize(ROWS);
            assertThat(messages).as("duplicates").hasSize(ROWS);
            assertThat(bySender(messages)).as("all take part").hasSize(PROCESSES);
        }
    }

    private static void killOne(ContestedTable table) throws Exception {
        try (Trial trial = begin(table)) {
            Contest contest = Contest.start(trial, table, PROCESSES, SHORT);
            contest.append(ROWS / 2);
            contest.awaitPublished(ROWS / 4);
            RelayChild victim = contest.freezeOneThatHoldsRows();
            Set<String> leased = contest.leasedBy(victim);
            victim.kill();
            // The database may still have been running its statement when it was suspended.
            leased.addAll(contest.leasedBy(victim));
            trial.say("SIGKILL of " + victim.name() + ", which has leased " + leased.size() + " rows; "
                    + contest.published() + " are published");
            contest.append(ROWS / 2);
            contest.awaitPublished(ROWS);

            List<Message> messages = Messages.on(contest.topic());
            Map<String, List<String>> repeated = repeated(messages);
            trial.say(messages.size() + " messages, " + repeated.size() + " rows sent more than once, by process "
                    + bySender(messages));
            assertThat(ids(messages)).as("none lost").hasSize(ROWS);
            assertThat(leased).containsAll(repeated.keySet());
            assertThat(repeated.values())
                    .as("once by the victim, once by who took over")
                    .allSatisfy(senders -> assertThat(senders)
                            .hasSize(2)
                            .contains(Long.toString(victim.pid()))
                            .doesNotHaveDuplicates());
        }
    }

    private static Trial begin(ContestedTable table) throws Exception {
        assumeTrue(!table.onMariaDb() || MariaDbServer.isInstalled(), "MariaDB is not installed");
        return Trial.begin("competing-" + table);
    }

    private static Set<String> ids(List<Message> messages) {
        return messages.stream().map(CompetingRelaysTest::id).collect(Collectors.toCollection(TreeSet::new));
    }

    private static String id(Message message) {
        return message.headers().get("event-id");
    }

    private static Map<String, Long> bySender(List<Message> messages) {
        return messages.stream()
                .collect(Collectors.groupingBy(
                        message -> message.headers().get(TableRelaySettings.SENDER), Collectors.counting()));
    }

    /** The processes that sent rows more than once. */
    private static Map<String, List<String>> repeated(List<Message> messages) {
        Map<String, List<String>> senders = new LinkedHashMap<>();
        messages.forEach(message -> senders.computeIfAbsent(id(message), id -> new ArrayList<>())
                .add(message.headers().get(TableRelaySettings.SENDER)));
        senders.values().removeIf(each -> each.size() == 1);
        return senders;
    }
}
