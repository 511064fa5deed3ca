package dev.waybill.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import dev.waybill.admin.BrokerCheckup;
import dev.waybill.admin.BrokerFindings;
import dev.waybill.admin.Finding;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;

/** Checks a RabbitMQ broker, with the options that relays publish with. */
public final class RabbitCheckup implements BrokerCheckup {
    private final RabbitOptions options;
    private final RabbitErrors errors;

    private RabbitCheckup(RabbitOptions options) {
        this.options = options;
        this.errors = new RabbitErrors(options.address().toString());
    }

    public static RabbitCheckup of(RabbitOptions options) {
        return new RabbitCheckup(options);
    }

    @Override
    public List<Finding> examine(Collection<String> topics) {
        List<Finding> findings = new ArrayList<>();
        try (Connection connection = new Connector(options).connect(socket -> {})) {
            Map<String, Object> server = connection.getServerProperties();
            findings.add(Finding.fine(
                    "broker",
                    server.get("product") + " " + server.get("version") + " at " + options.address() + " answers"));
            findings.add(encryption());
            for (Map.Entry<String, Set<String>> exchange : exchanges(topics).entrySet()) {
                findings.addAll(look(connection, exchange.getKey(), exchange.getValue()));
            }
        } catch (TimeoutException | SocketTimeoutException e) {
            findings.add(BrokerFindings.silent("RabbitMQ at " + options.address(), options.connectTimeout()));
        } catch (IOException | GeneralSecurityException | ShutdownSignalException e) {
            findings.add(BrokerFindings.unavailable(errors.unavailable(e).error(), e));
        }
        return findings;
    }

    private Finding encryption() {
        BrokerAddress address = options.address();
        boolean near = address.host().equals("localhost") || address.host().startsWith("127.");
        return BrokerFindings.encryption(address.tls(), near, "Use amqps://, with a TLS listener at the broker.");
    }

    private Map<String, Set<String>> exchanges(Collection<String> topics) {
        Map<String, Set<String>> exchanges = new TreeMap<>();
        if (!options.exchange().isEmpty()) {
            exchanges.put(options.exchange(), new TreeSet<>());
        }
        topics.forEach(topic -> exchanges
                .computeIfAbsent(options.exchangeOf(topic), exchange -> new TreeSet<>())
                .add(topic));
        return exchanges;
    }

    private static List<Finding> look(Connection connection, String exchange, Collection<String> topics)
            throws IOException {
        if (!exchange.isEmpty()) {
            return List.of(look(connection, "exchange", exchange, channel -> channel.exchangeDeclarePassive(exchange)));
        }
        List<Finding> findings = new ArrayList<>();
        for (String topic : topics) {
            findings.add(look(connection, "queue", topic, channel -> channel.queueDeclarePassive(topic)));
        }
        return findings;
    }

    private interface Question {
        Object on(Channel channel) throws IOException;
    }

    /** On its own channel, which the broker closes if the answer is negative. */
    private static Finding look(Connection connection, String what, String name, Question question) throws IOException {
        Channel channel = connection.createChannel();
        try {
            question.on(channel);
            channel.abort();
            return Finding.fine(what, name + " exists");
        } catch (IOException e) {
            ShutdownSignalException answer = RabbitErrors.answerIn(e);
            if (answer == null || answer.isHardError()) {
                throw e;
            }
            return Finding.problem(
                    what,
                    name + " cannot be used (" + RabbitErrors.words(answer) + ")",
                    "Create it, let relays declare it (topology), or grant this user access.");
        }
    }
}
