package dev.waybill.example.orderservice;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.waybill.example.orderservice.Orders.NewOrder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.SQLException;
import java.util.UUID;
import java.util.concurrent.Executors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The order service: {@code POST /orders} places an order, {@code DELETE /orders/ID} cancels it. It knows no broker.
 *
 * <p>Answers: 201 done, 200 done before, 404 no such order, 400 not an order, 422 refused by the database's rules.
 */
public final class OrderService {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int THREADS = 4;
    /** SQL state of a violated check constraint. */
    private static final String CHECK_VIOLATION = "23514";

    private final Orders orders;

    private OrderService(Orders orders) {
        this.orders = orders;
    }

    public static void main(String[] arguments) throws IOException, SQLException {
        Orders orders = new Orders(Databases.open(System.getenv("DB_URL"), "orders.sql"));
        int port = Integer.parseInt(System.getenv("PORT"));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/orders", new OrderService(orders)::answer);
        server.setExecutor(Executors.newFixedThreadPool(THREADS));
        server.start();
        System.out.println("order-service: ready on port " + port);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(status(exchange), -1);
        }
    }

    private int status(HttpExchange exchange) throws IOException {
        try {
            return switch (exchange.getRequestMethod()) {
                case "POST" -> orders.place(JSON.readValue(exchange.getRequestBody(), NewOrder.class)) ? 201 : 200;
                case "DELETE" -> orders.cancel(orderId(exchange)) ? 201 : 404;
                default -> 405;
            };
        } catch (JacksonException | IllegalArgumentException e) {
            return 400;
        } catch (SQLException e) {
            if (isRefused(e)) {
                return 422;
            }
            System.err.println("order-service: " + e.getMessage());
            return 503;
        }
    }

    private static UUID orderId(HttpExchange exchange) {
        String path = exchange.getRequestURI().getPath();
        return UUID.fromString(path.substring(path.lastIndexOf('/') + 1));
    }

    /** A batch reports its failure as the next exception. */
    private static boolean isRefused(SQLException e) {
        for (SQLException next = e; next != null; next = next.getNextException()) {
            if (CHECK_VIOLATION.equals(next.getSQLState())) {
                return true;
            }
        }
        return false;
    }
}
