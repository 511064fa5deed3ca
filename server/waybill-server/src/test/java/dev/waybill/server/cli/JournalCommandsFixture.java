package dev.waybill.server.cli;

import dev.waybill.embedded.PostgresServer;
import dev.waybill.spi.Settlement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** Commands on a journal of their own for each test. */
abstract class JournalCommandsFixture {
    static final Settlement DEAD = new Settlement.Dead("topic a.v1 does not exist", true, false);
    static PostgresServer server;
    final Cli cli = new Cli();
    JournalScene journal;

    @BeforeAll
    static void start() {
        server = PostgresServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void create() throws SQLException {
        journal = JournalScene.create(server);
    }

    int run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--url");
        all.add(journal.url());
        return cli.run(all.toArray(new String[0]));
    }
}
