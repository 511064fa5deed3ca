package dev.waybill.spring.boot.run;

import dev.waybill.Transactions;
import dev.waybill.format.MessageReader;
import dev.waybill.inbox.ConsumerOptions;
import dev.waybill.inbox.ConsumerPlan;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.jdbc.JdbcInbox;
import dev.waybill.spi.Destination;
import dev.waybill.spi.MessageSource;
import dev.waybill.spring.boot.run.PlannedRelay.NamedBroker;
import java.sql.Connection;
import java.util.List;

/**
 * A consumer as it is configured, with its handler methods.
 *
 * @param destination where messages come from
 * @param autoStartup whether it starts with the application
 */
record PlannedConsumer(
        String name,
        NamedBroker destination,
        Reading reading,
        Effects effects,
        ConsumerOptions options,
        boolean autoStartup) {

    /**
     * What is read.
     *
     * @param deadLetterTopic with {topic} for the topic that a message comes from
     */
    record Reading(List<String> topics, MessageSource source, MessageReader reader, String deadLetterTopic) {
        String deadLetterTopicOf(String topic) {
            return deadLetterTopic.replace("{topic}", topic);
        }
    }

    /** How events are handled. */
    record Effects(String store, JdbcInbox inbox, Transactions<Connection> transactions, List<HandlerMethod> methods) {}

    /** @param deadLetters a connection for this consumer alone */
    ConsumerPlan<Connection> plan(Destination deadLetters) {
        ConsumerPlan<Connection> plan = EventConsumer.named(name, effects.inbox(), effects.transactions())
                .from(reading.source(), reading.reader())
                .deadLettersTo(deadLetters)
                .deadLetterTopic(reading::deadLetterTopicOf)
                .options(options);
        for (HandlerMethod method : effects.methods()) {
            plan = plan.on(method.type(), (connection, event) -> method.handle(event));
        }
        return plan;
    }
}
