package dev.waybill.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.rabbitmq.client.MessageProperties;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RabbitServerTest {
    private static RabbitServer server;

    @BeforeAll
    static void start() {
        assumeTrue(RabbitServer.isInstalled(), "RabbitMQ is not installed: ./install-servers installs it as root");
        server = RabbitServer.start(Map.of("channel_max", "77", "listeners.tcp.1", "0.0.0.0:1"));
    }

    @AfterAll
    static void close() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void a_confirmed_message_survives_a_kill_on_the_same_port() throws Exception {
        int port = server.port();
        send("survives", "before");
        ProcessHandle process = ProcessHandle.of(server.pid()).orElseThrow();
        server.syncDeclarations();

        server.stopImmediately();

        assertThat(new ServerProcess(process).isRunning()).isFalse();
        assertThatThrownBy(RabbitServerTest::connect).isInstanceOf(IOException.class);
        assertThatThrownBy(server::pid).hasMessageContaining("restart()");
        server.restart();
        assertThat(server.port()).isEqualTo(port);
        assertThat(read("survives")).isEqualTo("before");
    }

    @Test
    @Tag("full")
    void it_can_be_stopped_cleanly_and_started_again() throws Exception {
        send("clean", "before");

        server.stop();
        assertThatThrownBy(RabbitServerTest::connect).isInstanceOf(IOException.class);
        server.restart();

        assertThat(read("clean")).isEqualTo("before");
        assertThatThrownBy(server::restart).hasMessageContaining("running already");
    }

    @Test
    void settings_and_commands_reach_it() throws Exception {
        try (Connection connection = connect()) {
            assertThat(connection.getChannelMax()).isEqualTo(77);
        }
        server.addUser("reader", "secret");
        assertThat(server.control("list_users")).contains("reader");
        assertThatThrownBy(() -> server.control("no_such_command")).hasMessageContaining("no_such_command");
    }

    @Test
    void a_memory_alarm_blocks_publishers_until_it_is_cleared() throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch unblocked = new CountDownLatch(1);
        try (Connection connection = connect();
                Channel channel = connection.createChannel()) {
            connection.addBlockedListener(reason -> blocked.countDown(), unblocked::countDown);
            server.raiseMemoryAlarm();
            // A connection is told when it publishes after the alarm has taken effect.
            for (int i = 0; i < 600 && blocked.getCount() > 0; i++) {
                channel.basicPublish("", "nobody", null, new byte[1]);
                blocked.await(100, TimeUnit.MILLISECONDS);
            }
            assertThat(blocked.getCount()).isZero();

            server.clearMemoryAlarm();
            assertThat(unblocked.await(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            server.clearMemoryAlarm();
        }
    }

    @Test
    void it_listens_on_loopback_and_nowhere_else() throws IOException {
        try (Socket loopback = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            assertThat(loopback.isConnected()).isTrue();
        }
        assertThat(NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .filter(address -> !address.isLoopbackAddress()))
                .allSatisfy(address -> assertThatThrownBy(() -> new Socket(address, server.port()).close())
                        .isInstanceOf(IOException.class));
    }

    @Test
    @Tag("full")
    void closing_ends_all_its_processes_and_removes_the_directory() {
        RabbitServer other = RabbitServer.start();
        ProcessHandle process = ProcessHandle.of(other.pid()).orElseThrow();
        ProcessHandle epmd = ProcessHandle.of(other.epmdPid()).orElseThrow();
        Path directory = Path.of(other.control("eval", "io:format(\"~s\", [os:getenv(\"HOME\")]).")
                .lines()
                .findFirst()
                .orElseThrow()
                .replace("ok", ""));
        assertThat(directory).isDirectory();

        other.close();
        other.close();

        assertThat(new ServerProcess(process).isRunning()).isFalse();
        assertThat(new ServerProcess(epmd).isRunning()).isFalse();
        assertThat(directory).doesNotExist();
    }

    @Test
    @Tag("full")
    void an_unknown_setting_is_reported_with_the_servers_message() {
        assertThatThrownBy(() -> RabbitServer.start(Map.of("no_such_setting", "1")))
                .isInstanceOf(EmbeddedServerException.class)
                .hasMessageContaining("no_such_setting");
    }

    private static void send(String queue, String text) throws Exception {
        try (Connection connection = connect();
                Channel channel = connection.createChannel()) {
            channel.confirmSelect();
            channel.queueDeclare(queue, true, false, false, null);
            channel.basicPublish("", queue, MessageProperties.PERSISTENT_BASIC, text.getBytes(StandardCharsets.UTF_8));
            channel.waitForConfirmsOrDie(60_000);
        }
    }

    private static String read(String queue) throws Exception {
        try (Connection connection = connect();
                Channel channel = connection.createChannel()) {
            GetResponse response = channel.basicGet(queue, true);
            return new String(response.getBody(), StandardCharsets.UTF_8);
        }
    }

    private static Connection connect() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(server.uri());
        return factory.newConnection();
    }
}
