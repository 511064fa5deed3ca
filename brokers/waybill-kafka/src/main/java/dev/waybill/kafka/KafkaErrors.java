package dev.waybill.kafka;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Refused;
import dev.waybill.spi.Delivery.Retry;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.TlsFailure;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.apache.kafka.common.internals.Topic;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a message for each of Kafka's exceptions.
 *
 * <table>
 * <caption>Before a message is sent it may wait for its retry; once sent it is never retried alone</caption>
 * <tr><th>exception</th><th>when the topic is looked for</th><th>when the message is sent</th></tr>
 * <tr><td>no such topic</td><td>Retry</td><td>–</td></tr>
 * <tr><td>TopicAuthorization</td><td>Retry</td><td>Refused</td></tr>
 * <tr><td>InvalidTopic</td><td>Refused</td><td>Refused</td></tr>
 * <tr><td>RecordTooLarge, RecordBatchTooLarge</td><td>–</td><td>Refused as unfit</td></tr>
 * <tr><td>InvalidRecord, Serialization, UnsupportedCompressionType, UnsupportedForMessageFormat</td>
 * <td>–</td><td>Refused</td></tr>
 * <tr><td>InvalidTimestamp: the clock of this host is wrong</td><td>–</td><td>Unavailable</td></tr>
 * <tr><td>not from Kafka: a partitioner or interceptor failed</td><td>Unavailable</td><td>Refused</td></tr>
 * <tr><td>Timeout, Authentication, ClusterAuthorization and all others: the fate of the message is unknown, or no
 * message would be accepted</td><td>Unavailable</td><td>Unavailable, or InDoubt if only its partition is unavailable</td></tr>
 * <tr><td>KafkaException "part of a batch …": none of the batch was accepted because of another record in it</td><td>–</td>
 * <td>sent again without that one</td></tr>
 * </table>
 *
 * @param servers the bootstrap servers, for error messages
 */
record KafkaErrors(String servers) {
    private static final int LONGEST_TOPIC = 249;

    Delivery missing(String topic) {
        return new Retry("topic " + topic + " does not exist at " + servers
                + ": create it, or let the broker create topics automatically (auto.create.topics.enable)");
    }

    /** The topic of positions: a message there could move another relay past events that it has not published. */
    Delivery reserved(String topic) {
        return new Refused(
                "topic " + topic + " has the positions of exactly-once relays (positions-topic), and takes no"
                        + " events: route the event to another topic, and requeue it");
    }

    Delivery whenLookingFor(String topic, RuntimeException error) {
        if (error instanceof TopicAuthorizationException) {
            return new Retry("topic " + topic + " is forbidden to this client: grant it Write and Describe ("
                    + words(error) + ")");
        }
        if (error instanceof InvalidTopicException) {
            return invalidTopic(topic, " (" + words(error) + ")");
        }
        return unavailable(error);
    }

    Delivery whenSending(String topic, Exception error) {
        if (error instanceof TopicAuthorizationException) {
            return new Refused("topic " + topic
                    + " is forbidden to this client: grant it Write, then requeue the event (" + words(error) + ")");
        }
        if (error instanceof InvalidTopicException) {
            return invalidTopic(topic, " (" + words(error) + ")");
        }
        if (error instanceof RecordTooLargeException || error instanceof RecordBatchTooLargeException) {
            return Delivery.unfit(
                    "topic " + topic + " does not accept a message this large: make the event smaller, or raise"
                            + " max.request.size here and max.message.bytes of the topic (" + words(error) + ")");
        }
        if (isOfTheClock(error)) {
            return new Unavailable("Kafka at " + servers + " refuses the time of messages to topic " + topic
                    + ": set the clock of this host, or message.timestamp.after.max.ms and"
                    + " message.timestamp.before.max.ms of the topic (" + words(error) + ")");
        }
        if (isOfTheMessage(error)) {
            return new Refused("topic " + topic + " does not accept the message (" + words(error) + ")");
        }
        return unavailable(error);
    }

    Unavailable unavailable(Throwable error) {
        String remedy =
                TlsFailure.of(error).map(failure -> ": " + failure.what()).orElseGet(() -> remedy(error));
        return new Unavailable("Kafka at " + servers + " is unavailable" + remedy + " (" + words(error) + ")");
    }

    private static String remedy(Throwable error) {
        if (error instanceof AuthenticationException) {
            return ": correct the credentials";
        }
        return error instanceof TransactionalIdAuthorizationException
                ? ": grant this client Write and Describe on its transactional ids, which begin with waybill-"
                : "";
    }

    /**
     * Messages get their timestamps from this host's clock, so no single message is at fault. If several messages of one request are
     * refused for their timestamps, only the text of the client's exception tells.
     */
    static boolean isOfTheClock(Exception error) {
        return error instanceof InvalidTimestampException
                || (error instanceof InvalidRecordException
                        && error.getMessage() != null
                        && error.getMessage().startsWith("Timestamp "));
    }

    /** The broker refused the whole batch because of other records in it. The client has no exception type for it. */
    static boolean isOfItsNeighbours(Exception error) {
        return error.getClass() == KafkaException.class
                && error.getMessage() != null
                && error.getMessage().contains("part of a batch");
    }

    Delivery.InDoubt partitionUnavailable(TopicPartition partition, String why) {
        return new Delivery.InDoubt("partition " + partition + " at " + servers + " is unavailable: " + why);
    }

    private static boolean isOfTheMessage(Exception error) {
        return error instanceof InvalidRecordException
                || error instanceof SerializationException
                || error instanceof UnsupportedCompressionTypeException
                || error instanceof UnsupportedForMessageFormatException
                || !isOfKafka(error);
    }

    /** Kafka's client cannot even ask for a name of 32 KiB, and its error would look like a broker that is away. */
    @Nullable Delivery whyImpossible(String topic) {
        return Topic.isValid(topic) ? null : invalidTopic(topic, "");
    }

    private static Delivery invalidTopic(String topic, String detail) {
        String shown = topic.length() <= LONGEST_TOPIC ? topic : topic.substring(0, LONGEST_TOPIC) + "…";
        return new Refused("\"" + shown + "\" cannot be the name of a topic in Kafka: use up to " + LONGEST_TOPIC
                + " letters, digits, dots, hyphens and underscores" + detail);
    }

    /** Exceptions of other code, such as a partitioner, may quote the message: only their class is shown. */
    private static boolean isOfKafka(Throwable error) {
        return error instanceof KafkaException || error instanceof IllegalStateException;
    }

    private static String words(Throwable error) {
        String name = error.getClass().getSimpleName();
        return isOfKafka(error) && error.getMessage() != null ? name + ": " + error.getMessage() : name;
    }
}
