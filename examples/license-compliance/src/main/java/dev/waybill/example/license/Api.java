package dev.waybill.example.license;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.SQLException;
import java.util.concurrent.Executors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** {@code POST /licenses} with a license and its status: stores upload, reviewers decide. Answers 201, or 200 if it was done before. */
public final class Api {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int THREADS = 4;

    private final Licenses licenses;

    private Api(Licenses licenses) {
        this.licenses = licenses;
    }

    public static void main(String[] arguments) throws IOException, SQLException {
        Licenses licenses = new Licenses(Databases.open(System.getenv("DATABASE_URL"), "licenses.sql"));
        int port = Integer.parseInt(System.getenv("PORT"));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/licenses", new Api(licenses)::answer);
        server.setExecutor(Executors.newFixedThreadPool(THREADS));
        server.start();
        System.out.println("api: ready on port " + port);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(status(exchange), -1);
        }
    }

    private int status(HttpExchange exchange) {
        try {
            LicenseStatusChanged change = JSON.readValue(exchange.getRequestBody(), LicenseStatusChanged.class);
            return licenses.change(change) ? 201 : 200;
        } catch (JacksonException | IllegalArgumentException e) {
            return 400;
        } catch (SQLException e) {
            System.err.println("api: " + e.getMessage());
            return 503;
        }
    }
}
