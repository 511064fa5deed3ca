package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.Utf8;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.tck.memory.InMemoryOutbox;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RouteAndFormatTest {

    @Test
    void an_event_that_the_store_could_not_read_is_given_up_with_the_reason() {
        RelayPlan plan = Relay.named("relay").from(new InMemoryOutbox().store()).to(new InMemoryDestination());
        List<OutboundMessage> ready = new ArrayList<>();
        List<String> reasons = new ArrayList<>();
        RelayStatistics statistics = new RelayStatistics();
        FailureStreak failures = new FailureStreak(System::nanoTime);
        UserCalls calls = new UserCalls(plan, statistics, failures, System::nanoTime);
        new RouteAndFormat(plan, calls).make(new Damaged("its payload is damaged"), ready::add, reasons::add);

        assertThat(ready).isEmpty();
        assertThat(reasons).containsExactly("its payload is damaged");
    }

    private record Damaged(String reason) implements StoredEvent {
        @Override
        public Optional<String> unreadable() {
            return Optional.of(reason);
        }

        @Override
        public Utf8 id() {
            return Utf8.of("a1");
        }

        @Override
        public Utf8 type() {
            return Utf8.of("thing.happened");
        }

        @Override
        public int version() {
            return 1;
        }

        @Override
        public Utf8 aggregateType() {
            return Utf8.of("Thing");
        }

        @Override
        public Utf8 aggregateId() {
            return Utf8.of("a");
        }

        @Override
        public boolean numericAggregateId() {
            return false;
        }

        @Override
        public OptionalLong aggregateVersion() {
            return OptionalLong.empty();
        }

        @Override
        public @Nullable Utf8 topic() {
            return null;
        }

        @Override
        public @Nullable Utf8 key() {
            return null;
        }

        @Override
        public byte[] payload() {
            return new byte[0];
        }

        @Override
        public String contentType() {
            return "application/json";
        }

        @Override
        public @Nullable Utf8 headersJson() {
            return null;
        }

        @Override
        public Instant createdAt() {
            return Instant.EPOCH;
        }

        @Override
        public int attempts() {
            return 0;
        }
    }
}
