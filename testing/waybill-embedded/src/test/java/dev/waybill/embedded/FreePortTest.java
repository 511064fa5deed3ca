package dev.waybill.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FreePortTest {
    @Test
    void no_port_is_given_twice_although_no_server_listens_on_the_first_ones_yet() {
        List<Integer> ports = Stream.generate(FreePort::choose).limit(1_000).toList();
        assertThat(ports).doesNotHaveDuplicates().allMatch(port -> port > 15_000 && port < 32_000);
    }

    @Test
    void another_process_cannot_claim_the_block_of_a_port() throws IOException {
        int port = FreePort.choose();
        try (ServerSocket server = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            assertThat(server.isBound()).isTrue();
        }
        assertThatThrownBy(() -> new ServerSocket(port / 100 * 100, 1, InetAddress.getLoopbackAddress()))
                .isInstanceOf(BindException.class);
    }
}
