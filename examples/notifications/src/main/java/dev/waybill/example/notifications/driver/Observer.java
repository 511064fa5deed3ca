package dev.waybill.example.notifications.driver;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import dev.waybill.embedded.RabbitServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A queue of the driver's own that gets a copy of every message of the exchange. */
final class Observer {
    private static final String EXCHANGE = "notifications.exchange";
    private static final String QUEUE = "observer";
    private static final Set<String> FIELDS =
            Set.of("event_id", "event_type", "aggregate_type", "aggregate_id", "payload");
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final RabbitServer rabbit;

    /**
     * What was on the exchange.
     *
     * @param ids of all events
     * @param events id, type, aggregate type, aggregate id and people of each event
     * @param repeated messages beyond the first of their event
     * @param malformed messages that do not have exactly the five fields, or a wrong routing key
     * @param inversions first messages with a smaller number than the one before, per aggregate
     */
    record Seen(Set<String> ids, List<String> events, int repeated, int malformed, int inversions) {}

    Observer(RabbitServer rabbit) throws Exception {
        this.rabbit = rabbit;
        try (Connection connection = connect();
                Channel channel = connection.createChannel()) {
            channel.exchangeDeclare(EXCHANGE, BuiltinExchangeType.TOPIC, true);
            channel.queueDeclare(QUEUE, true, false, false, Map.of());
            channel.queueBind(QUEUE, EXCHANGE, "#");
        }
        // RabbitMQ answers a declare before it is on disk.
        rabbit.syncDeclarations();
    }

    private Connection connect() throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(rabbit.uri());
        return factory.newConnection();
    }

    Seen everything() throws Exception {
        List<GetResponse> messages = new ArrayList<>();
        try (Connection connection = connect();
                Channel channel = connection.createChannel()) {
            for (GetResponse one = channel.basicGet(QUEUE, true); one != null; one = channel.basicGet(QUEUE, true)) {
                messages.add(one);
            }
        }
        Set<String> ids = new HashSet<>();
        List<String> events = new ArrayList<>();
        Map<String, Long> last = new HashMap<>();
        int malformed = 0;
        int inversions = 0;
        for (GetResponse message : messages) {
            JsonNode body = JSON.readTree(message.getBody());
            String type = body.path("aggregate_type").asString("");
            malformed += isWellFormed(message, body, type) ? 0 : 1;
            if (ids.add(body.path("event_id").asString(""))) {
                events.add(text(body));
                long number = body.path("payload").path("number").asLong();
                Long before = last.put(type + body.path("aggregate_id").asLong(), number);
                inversions += before != null && before >= number ? 1 : 0;
            }
        }
        return new Seen(ids, events, messages.size() - ids.size(), malformed, inversions);
    }

    private static String text(JsonNode body) {
        return String.join(
                " ",
                body.path("event_id").asString(""),
                body.path("event_type").asString(""),
                body.path("aggregate_type").asString(""),
                body.path("aggregate_id").asString(""),
                body.path("payload").path("people").asString(""));
    }

    private static boolean isWellFormed(GetResponse message, JsonNode body, String type) {
        return Set.copyOf(body.propertyNames()).equals(FIELDS)
                && body.path("aggregate_id").isIntegralNumber()
                && body.path("payload").isObject()
                && message.getEnvelope().getRoutingKey().equals("notification." + type.toLowerCase(Locale.ROOT));
    }
}
