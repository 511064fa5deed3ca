package dev.waybill.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Refused;
import dev.waybill.spi.Delivery.Retry;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.SourceException;
import dev.waybill.spi.TlsFailure;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The outcome for each answer of RabbitMQ.
 *
 * <table>
 * <caption>Only one event of a key is in flight, so each can be retried alone</caption>
 * <tr><th>answer</th><th>outcome</th></tr>
 * <tr><td>returned (312 NO_ROUTE), then acknowledged</td><td>Refused: no queue is bound for it</td></tr>
 * <tr><td>nack: a queue is full and rejects, or failed</td><td>Retry</td></tr>
 * <tr><td>channel closed, 404: the exchange is missing</td><td>Retry, every event of that exchange</td></tr>
 * <tr><td>channel closed, 403: the exchange is forbidden</td><td>Retry, every event of that exchange</td></tr>
 * <tr><td>channel closed, 403: the routing key is forbidden</td><td>Retry, the events with that key</td></tr>
 * <tr><td>channel closed, 406: larger than the broker accepts</td><td>Refused as unfit, the events of that size</td></tr>
 * <tr><td>channel closed before anything was sent on it</td><td>Retry</td></tr>
 * <tr><td>channel closed for another reason</td><td>each is sent alone; Retry for the one that closes it again</td></tr>
 * <tr><td>the client cannot encode it, or it is larger than the options allow</td><td>Refused as unfit, before it is sent</td></tr>
 * <tr><td>connection refused, lost, closed by the broker, blocked for too long; login, vhost or TLS refused; the topology
 * cannot be declared; no confirm in time</td><td>Unavailable</td></tr>
 * </table>
 *
 * @param broker the address, for error messages
 */
record RabbitErrors(String broker) {
    private static final Pattern TOPIC = Pattern.compile("access to topic '(.*)' in exchange ");
    private static final Pattern MAX_SIZE = Pattern.compile("larger than configured max size (\\d+)");

    /** Which messages made RabbitMQ close a channel. */
    sealed interface Blame {
        /** All messages to the exchange. */
        record OnExchange() implements Blame {}

        /** Messages with this routing key. */
        record OnTopic(String topic) implements Blame {}

        /** Messages larger than this. */
        record OnSize(long maxBytes) implements Blame {}

        /** An unknown one of the messages in flight. */
        record OnUnknown() implements Blame {}
    }

    Blame blame(ShutdownSignalException closed) {
        int code = code(closed);
        String text = text(closed);
        Matcher topic = TOPIC.matcher(text);
        if (code == AMQP.ACCESS_REFUSED && topic.find()) {
            return new Blame.OnTopic(topic.group(1));
        }
        OptionalLong max = maxSize(text);
        if (code == AMQP.PRECONDITION_FAILED && max.isPresent()) {
            return new Blame.OnSize(max.getAsLong());
        }
        return code == AMQP.NOT_FOUND || code == AMQP.ACCESS_REFUSED ? new Blame.OnExchange() : new Blame.OnUnknown();
    }

    private static OptionalLong maxSize(String text) {
        Matcher matcher = MAX_SIZE.matcher(text);
        return matcher.find() ? OptionalLong.of(Long.parseLong(matcher.group(1))) : OptionalLong.empty();
    }

    /** The message was not sent, so it is not the cause. */
    Delivery whenChannelNotOpened(Outgoing message, ShutdownSignalException closed) {
        Delivery outcome = whenChannelClosed(message, closed);
        return outcome instanceof Retry
                ? outcome
                : new Retry("RabbitMQ at " + broker + " opens no channel for " + where(message) + " (" + words(closed)
                        + ")");
    }

    /** The message is the cause. */
    Delivery whenChannelClosed(Outgoing message, ShutdownSignalException closed) {
        String where = where(message);
        return switch (code(closed)) {
            case AMQP.NOT_FOUND ->
                new Retry("exchange \"" + message.exchange() + "\" does not exist at " + broker + ", so " + where
                        + " cannot be sent: create it, or let relays declare it (" + words(closed) + ")");
            case AMQP.ACCESS_REFUSED ->
                new Retry(where + " is forbidden to this user at " + broker + ": grant it write permission ("
                        + words(closed) + ")");
            case AMQP.PRECONDITION_FAILED ->
                new Refused(
                        "RabbitMQ at " + broker + " does not accept the message of " + message.size() + " bytes for "
                                + where + " (" + words(closed) + ")",
                        maxSize(text(closed)).isPresent());
            default ->
                new Retry("RabbitMQ at " + broker + " closed the channel when " + where + " was sent (" + words(closed)
                        + ")");
        };
    }

    Delivery noChannelLeft(Outgoing message) {
        return new Retry("RabbitMQ at " + broker + " allows no further channel, and each exchange needs one, so "
                + where(message) + " cannot be sent: raise channel_max, or use fewer exchanges");
    }

    Delivery nacked(Outgoing message) {
        return new Retry("RabbitMQ at " + broker + " rejected the message for " + where(message)
                + " (nack): a queue is full and rejects new messages, or failed");
    }

    Delivery returned(Outgoing message, String replyText) {
        return new Refused("no queue at " + broker + " is bound for " + where(message) + ": bind one, then requeue the"
                + " event (" + replyText + ")");
    }

    Delivery tooLarge(String topic, long bytes, long max) {
        return Delivery.unfit("the message for " + topic + " has " + bytes + " bytes, at most " + max
                + " are sent: make the event smaller, or raise the largest size here and max_message_size at "
                + broker);
    }

    Delivery cannotBeEncoded(String topic, String why) {
        return Delivery.unfit("the message for " + topic + " cannot be sent over AMQP: " + why);
    }

    Delivery topicTooLong(String topic) {
        return new Refused(
                "the message for " + topic + " cannot be sent over AMQP: its routing key is longer than 255 bytes");
    }

    Unavailable unavailable(Throwable error) {
        String remedy = "";
        if (error instanceof AuthenticationFailureException
                || error instanceof PossibleAuthenticationFailureException) {
            remedy = ": correct the credentials";
        } else if (error instanceof SSLException) {
            remedy = TlsFailure.of(error)
                    .map(failure -> ": " + failure.what())
                    .orElse(": correct the certificates, or the trusted authorities");
        }
        return new Unavailable("RabbitMQ at " + broker + " is unavailable" + remedy + " (" + words(error) + ")");
    }

    Unavailable topologyFailed(Throwable error) {
        return new Unavailable("the topology cannot be declared at " + broker
                + ", so nothing is sent: correct it, or the existing exchanges and queues (" + words(error) + ")");
    }

    Unavailable notConfirmed(int count, long millis, @Nullable String blocked) {
        String why = blocked == null ? "" : "; it blocks publishers (" + blocked + ")";
        return new Unavailable(
                "RabbitMQ at " + broker + " had not confirmed " + count + " messages after " + millis + " ms" + why);
    }

    Unavailable aborted() {
        return new Unavailable("RabbitMQ at " + broker
                + " had not confirmed when the relay stopped publishing; the event is sent again");
    }

    SourceException cannotConsume(List<String> queues, Throwable error) {
        return new SourceException(
                "Cannot consume " + queues + " from RabbitMQ at " + broker + " (" + words(error) + ").", error);
    }

    SourceException consumingFailed(List<String> queues, Throwable error) {
        return new SourceException(
                "RabbitMQ at " + broker + " failed while " + queues + " were consumed (" + words(error) + ").", error);
    }

    SourceException deadLettersFailed(String queue, Throwable error) {
        return new SourceException(
                "RabbitMQ at " + broker + " failed at the dead letters of " + queue + " (" + words(error)
                        + "); none is lost.",
                error);
    }

    private static String where(Outgoing message) {
        return message.topic() + (message.exchange().isEmpty() ? "" : " of exchange \"" + message.exchange() + "\"");
    }

    /** The client wraps the broker's answer in exceptions without a message. */
    static @Nullable ShutdownSignalException answerIn(Throwable error) {
        for (Throwable each = error; each != null; each = each.getCause()) {
            if (each instanceof ShutdownSignalException signal) {
                return signal;
            }
        }
        return null;
    }

    /** Whether a channel was closed because of the last message on it, so that other messages may be accepted. */
    static boolean isOfOneMessage(ShutdownSignalException closed) {
        return !closed.isHardError()
                && closed.getReason() instanceof AMQP.Channel.Close
                && code(closed) != AMQP.ACCESS_REFUSED;
    }

    /** Whether the broker answered that what was named does not exist. */
    static boolean isNotFound(Throwable error) {
        ShutdownSignalException answer = answerIn(error);
        return answer != null && code(answer) == AMQP.NOT_FOUND;
    }

    private static int code(ShutdownSignalException closed) {
        Method reason = closed.getReason();
        if (reason instanceof AMQP.Channel.Close close) {
            return close.getReplyCode();
        }
        return reason instanceof AMQP.Connection.Close close ? close.getReplyCode() : 0;
    }

    private static String text(ShutdownSignalException closed) {
        Method reason = closed.getReason();
        if (reason instanceof AMQP.Channel.Close close) {
            return close.getReplyText();
        }
        return reason instanceof AMQP.Connection.Close close ? close.getReplyText() : "";
    }

    static String words(Throwable error) {
        ShutdownSignalException answer = answerIn(error);
        if (answer != null && code(answer) != 0) {
            return code(answer) + " " + text(answer);
        }
        Throwable told = answer != null && answer.getCause() != null ? answer.getCause() : error;
        String name = told.getClass().getSimpleName();
        return told.getMessage() == null ? name : name + ": " + told.getMessage();
    }
}
