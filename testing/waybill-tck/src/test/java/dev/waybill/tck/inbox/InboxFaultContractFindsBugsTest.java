package dev.waybill.tck.inbox;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waybill.tck.inbox.FaultyMemoryInbox.Bug;
import dev.waybill.tck.memory.InMemoryInbox;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the contract itself: each kind of bug is found and named. */
class InboxFaultContractFindsBugsTest {

    @ParameterizedTest
    @CsvSource({
        "AN_ERROR_COMMITS, half an effect",
        "A_COMMIT_THAT_FAILED_IS_NOT_TOLD, acknowledged without a durable effect",
        "RECORDS_ARE_KEPT_WHEN_EFFECTS_ARE_NOT, lost",
        "NOTHING_IS_RECORDED, 2 effects",
        "OUTAGES_LOOK_LIKE_FAILURES, is counted against",
        "CONNECTIONS_LEAK, connections left open"
    })
    void a_planted_bug_is_found(Bug bug, String violation) {
        InboxFaultContract<InMemoryInbox.Transaction> contract = new InboxFaultContract<>() {
            @Override
            protected InboxFaultHarness<InMemoryInbox.Transaction> newInbox() {
                return new FaultyMemoryInbox(bug);
            }
        };

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(contract::whichever_call_fails_in_whichever_way_every_event_has_one_effect)
                .withMessageContaining(violation);
    }
}
