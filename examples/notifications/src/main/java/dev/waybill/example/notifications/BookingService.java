package dev.waybill.example.notifications;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.waybill.example.notifications.Bookings.Request;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.util.concurrent.Executors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The business: {@code POST /reservations}, {@code /orders}, {@code /trips}, {@code /registrations}, {@code /deliveries}. It knows
 * no broker and no recipients.
 *
 * <p>Answers: 201 done, 200 done before, 400 not understood, 422 refused by the database's rules, 503 try again.
 */
public final class BookingService {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int THREADS = 4;
    private static final String CHECK_VIOLATION = "23000";

    private final Bookings bookings;

    private BookingService(Bookings bookings) {
        this.bookings = bookings;
    }

    public static void main(String[] arguments) throws IOException, SQLException {
        Bookings bookings = new Bookings(Databases.open(System.getenv("DB_URL"), "bookings.sql"));
        int port = Integer.parseInt(System.getenv("PORT"));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", new BookingService(bookings)::answer);
        server.setExecutor(Executors.newFixedThreadPool(THREADS));
        server.start();
        System.out.println("bookings: ready on port " + port);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(status(exchange), -1);
        }
    }

    private int status(HttpExchange exchange) {
        try {
            Business kind = Business.ofPath(exchange.getRequestURI().getPath());
            return bookings.record(kind, JSON.readValue(exchange.getRequestBody(), Request.class)) ? 201 : 200;
        } catch (JacksonException | IllegalArgumentException e) {
            return 400;
        } catch (SQLIntegrityConstraintViolationException e) {
            return 422;
        } catch (SQLException | RuntimeException e) {
            if (e instanceof SQLException sql && CHECK_VIOLATION.equals(sql.getSQLState())) {
                return 422;
            }
            System.err.println("bookings: " + e.getMessage());
            return 503;
        }
    }
}
