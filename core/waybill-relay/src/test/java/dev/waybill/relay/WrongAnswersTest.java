package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.relay.CycleResult.Unavailable;
import dev.waybill.relay.RelayStatistics.Phase;
import dev.waybill.spi.Delivery;
import dev.waybill.testkit.Await;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A destination that breaks its contract counts as unavailable, whatever it did and in both modes of delivery: the relay names it
 * and backs off, and no event is lost or settled twice.
 */
@Timeout(120)
class WrongAnswersTest {
    private static final String[] EVENTS = {"a1", "a2", "b1"};

    @ParameterizedTest
    @EnumSource
    void at_least_once_the_relay_backs_off_names_the_destination_and_sends_again(WrongAnswer wrong) {
        DestinationByRule broken = new DestinationByRule(wrong::to);
        CycleScene scene = new CycleScene(broken);
        scene.append(EVENTS);

        assertBackingOff(scene.run(), wrong, DestinationByRule.class);
        assertThat(scene.settled()).allMatch(one -> one.as() == dev.waybill.spi.Settlement.RELEASED);
        broken.cure();
        scene.run();
        assertThat(broken.delivered()).containsExactly(EVENTS);
        assertThat(scene.status().backlog()).isZero();
        assertThat(scene.parked()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void exactly_once_the_relay_backs_off_names_the_destination_and_commits_each_event_once(WrongAnswer wrong) {
        TransactionScene scene = new TransactionScene();
        scene.broker.answerInstead(wrong::to);
        scene.store.append(EVENTS);

        assertBackingOff(scene.run(), wrong, LedgerBroker.class);
        assertThat(scene.broker.committed()).isEmpty();
        scene.broker.answerInstead(null);
        scene.drain();
        assertThat(scene.broker.committed()).containsExactly(EVENTS);
        assertThat(scene.store.dead()).isEmpty();
    }

    private static void assertBackingOff(CycleResult result, WrongAnswer wrong, Class<?> destination) {
        assertThat(result)
                .isInstanceOfSatisfying(
                        Unavailable.class,
                        unavailable -> assertThat(unavailable.error())
                                .contains(destination.getName(), wrong.reason())
                                .doesNotContain("planted"));
    }

    @ParameterizedTest
    @EnumSource
    void a_running_relay_shows_it_and_goes_on_when_the_destination_answers_well(WrongAnswer wrong) {
        try (RelayScene scene = new RelayScene()) {
            StubbornDestination stubborn = new StubbornDestination(scene.broker()).publishing(() -> wrong.to(3));
            scene.append(EVENTS);
            Relay relay = scene.start(RelayScene.plan(scene.store(), stubborn));
            RelayScene.until(Phase.BACKING_OFF, relay);
            assertThat(relay.statistics().state().problem().orElseThrow())
                    .contains(StubbornDestination.class.getName(), wrong.reason());
            assertThat(relay.failingFor()).isPresent();
            Await.until("it is tried again", () -> stubborn.publishes() >= 2);

            stubborn.cure();
            scene.untilDelivered(EVENTS);
            scene.untilSettled();
            assertThat(scene.delivered()).containsExactly(EVENTS);
            assertThat(relay.statistics().sessions()).isEqualTo(1);
        }
    }

    @Test
    void an_answer_that_changes_after_it_was_given_counts_as_it_was_given() {
        assertDeliveredOnce(WrongAnswer::thatChanges);
    }

    @Test
    void of_an_answer_that_is_given_twice_the_first_one_counts() {
        assertDeliveredOnce(WrongAnswer::givenTwice);
    }

    private static void assertDeliveredOnce(IntFunction<CompletionStage<List<Delivery>>> answer) {
        DestinationByRule destination = new DestinationByRule(answer);
        CycleScene scene = new CycleScene(destination);
        scene.append(EVENTS);
        assertThat(scene.run()).isEqualTo(CycleResult.IDLE);
        assertThat(scene.settledNames()).containsExactly(EVENTS);
        assertThat(scene.status().backlog()).isZero();

        TransactionScene transactions = new TransactionScene();
        transactions.broker.answerAs(answer);
        transactions.store.append(EVENTS);
        transactions.drain();
        assertThat(transactions.broker.committed()).containsExactly(EVENTS);
    }
}
