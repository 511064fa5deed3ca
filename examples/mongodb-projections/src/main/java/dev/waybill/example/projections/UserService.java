package dev.waybill.example.projections;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** {@code POST /users} with a user, its name and its new version. Answers 201, or 200 if it was done before. */
public final class UserService {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int THREADS = 4;

    private final Users users;

    private UserService(Users users) {
        this.users = users;
    }

    public static void main(String[] arguments) throws IOException {
        MongoClient client = MongoClients.create(System.getenv("MONGODB_URI"));
        Users users = new Users(client, client.getDatabase(System.getenv("MONGODB_DATABASE")));
        int port = Integer.parseInt(System.getenv("PORT"));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/users", new UserService(users)::answer);
        server.setExecutor(Executors.newFixedThreadPool(THREADS));
        server.start();
        System.out.println("users: ready on port " + port);
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.sendResponseHeaders(status(exchange), -1);
        }
    }

    private int status(HttpExchange exchange) {
        try {
            return users.change(JSON.readValue(exchange.getRequestBody(), Users.Change.class)) ? 201 : 200;
        } catch (JacksonException | IllegalArgumentException e) {
            return 400;
        } catch (MongoException e) {
            System.err.println("users: " + e.getMessage());
            return 503;
        }
    }
}
