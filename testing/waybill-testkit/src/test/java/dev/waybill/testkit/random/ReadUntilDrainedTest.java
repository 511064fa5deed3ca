package dev.waybill.testkit.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ReadUntilDrainedTest {
    /** Its server crashes and comes back after the first read, and its connection is lost. */
    private static final class Disconnected implements Reader {
        private final ServerGate gate;
        private final ReadEvent event = new ReadEvent(UUID.randomUUID(), "a", 1);
        private int reads;
        private boolean connected = true;

        Disconnected(ServerGate gate) {
            this.gate = gate;
        }

        @Override
        public boolean readSome(Consumer<ReadEvent> sink) throws SQLException {
            if (reads++ == 0) {
                connected = false;
                gate.serverIsBack();
                return false;
            }
            if (!connected) {
                throw new SQLException("The connection was lost.");
            }
            if (reads == 3) {
                sink.accept(event);
                return true;
            }
            return false;
        }

        @Override
        public void crashed() {
            connected = true;
        }

        @Override
        public void close() {}
    }

    @Test
    @Timeout(60)
    void a_server_that_crashed_and_came_back_between_two_reads_is_not_waited_for() {
        ServerGate gate = ServerGate.withCrashes();
        Disconnected reader = new Disconnected(gate);
        ReadUntilDrained reading = new ReadUntilDrained(reader, gate, new Random(1));
        reading.drain();

        assertThat(reading.call()).containsExactly(reader.event);
    }
}
