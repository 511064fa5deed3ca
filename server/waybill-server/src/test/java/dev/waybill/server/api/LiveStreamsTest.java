package dev.waybill.server.api;

import dev.waybill.server.access.AccessRules;
import dev.waybill.server.access.Caller;
import dev.waybill.server.access.Door;
import dev.waybill.server.access.Role;
import dev.waybill.server.config.Installation;
import dev.waybill.server.http.Request;
import dev.waybill.testkit.Await;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveStreamsTest {
    @TempDir
    Path directory;

    @Test
    void a_stream_goes_on_after_a_moment_without_memory() throws Exception {
        Installation installation =
                Installation.read(Files.writeString(directory.resolve("waybill.yaml"), ServedApi.AWAY));
        AtomicInteger looks = new AtomicInteger();
        LiveStreams streams = new LiveStreams(
                new Door(AccessRules.LOCAL, InstantSource.system()),
                new Answers(new Json(installation.secrets())),
                () -> {
                    if (looks.incrementAndGet() == 2) {
                        throw new OutOfMemoryError("a moment");
                    }
                    return new Obj().text("n", "" + looks.get());
                },
                () -> {});
        Call call = new Call(
                new Request(
                        "GET",
                        "/api/live",
                        Map.of(),
                        Map.of(),
                        Set.of(),
                        new byte[0],
                        InetAddress.getLoopbackAddress()),
                new Caller("ada", Role.OPERATOR),
                Map.of(),
                new Input(Map.of()));
        streams.open(call);
        Await.until("it goes on", () -> looks.get() > 3);
        streams.close();
        installation.close();
    }
}
