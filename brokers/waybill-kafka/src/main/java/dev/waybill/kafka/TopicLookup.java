package dev.waybill.kafka;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.Untraced;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * Looks up topics and their partitions on its own thread. It uses a consumer, because a producer blocks when it is asked for a
 * missing topic, and then keeps asking for it by itself; with a consumer a lookup is one round trip, and a broker that creates
 * topics on use creates it. Lookups that have to be repeated take turns, so one topic does not delay another.
 */
final class TopicLookup implements PartitionLookup {
    private static final Duration ONE_LOOK = Duration.ofSeconds(1);
    private static final long PAUSE_MILLIS = 50;
    private static final long EVERYTHING_NANOS = Duration.ofSeconds(2).toNanos();

    private final ClientProperties properties;
    private final KafkaOptions options;
    private final KafkaErrors errors;
    private final ScheduledThreadPoolExecutor thread;
    /** Created and used on the thread; other threads only wake it up. */
    private volatile @Nullable Consumer<byte[], byte[]> consumer;

    private @Nullable Everything everything;

    TopicLookup(ClientProperties properties, KafkaOptions options, KafkaErrors errors) {
        this.properties = properties;
        this.options = options;
        this.errors = errors;
        this.thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread daemon = new Thread(Untraced.task(task), "waybill-kafka-topics");
            daemon.setDaemon(true);
            return daemon;
        });
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Looks up the topic and passes the answer to the session. */
    void ask(String topic, boolean patient, ProducerSession session) {
        long now = System.nanoTime();
        long absentAt = now + (patient ? options.topicTimeout().toNanos() : 0);
        Question question = new Question(
                topic, session, absentAt, now + options.deliveryTimeout().toNanos());
        execute(session, () -> look(question));
    }

    /** Runs a task for a session on the thread, or here when that is closed. Whatever it throws ends the session. */
    void execute(ProducerSession session, Runnable task) {
        Runnable guarded = () -> guard(session, task);
        try {
            thread.execute(guarded);
        } catch (RejectedExecutionException closed) {
            guarded.run();
        }
    }

    private void guard(ProducerSession session, Runnable task) {
        try {
            task.run();
        } catch (Throwable e) {
            // Catch an Error too: the thread pool would swallow it, and messages would wait for ever.
            session.endBecause(errors.unavailable(e));
        }
    }

    @Override
    public void later(Duration wait, Runnable task) {
        try {
            var unused = thread.schedule(task, wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            // The session no longer waits for it.
        }
    }

    /** Like {@link #later(Duration, Runnable)}; whatever it throws ends the session. */
    void later(Duration wait, ProducerSession session, Runnable task) {
        later(wait, () -> guard(session, task));
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public List<PartitionInfo> partitionsOf(String topic) {
        return ask(asking -> asking.partitionsFor(topic, ONE_LOOK));
    }

    /** The answer of a large cluster is large, so it is not requested at every check. */
    @Override
    public Map<String, List<PartitionInfo>> allPartitions() {
        Everything known = everything;
        if (known == null || nanoTime() - known.atNanos >= EVERYTHING_NANOS) {
            known = new Everything(ask(asking -> asking.listTopics(ONE_LOOK)), nanoTime());
            everything = known;
        }
        return known.partitions;
    }

    private <T> T ask(Function<Consumer<byte[], byte[]>, T> question) {
        try {
            return question.apply(consumer());
        } catch (Error e) {
            // The state of the consumer is unknown now.
            closeConsumer();
            throw e;
        }
    }

    void close() {
        if (thread.isShutdown()) {
            return;
        }
        thread.execute(this::closeConsumer);
        thread.shutdown();
        Consumer<byte[], byte[]> asking = consumer;
        if (asking != null) {
            asking.wakeup();
        }
        try {
            if (!thread.awaitTermination(2 * ONE_LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    private void look(Question question) {
        ProducerSession session = question.session;
        String topic = question.topic;
        if (session.end() != null) {
            return;
        }
        @Nullable Delivery impossible =
                topic.equals(options.positionsTopic()) ? errors.reserved(topic) : errors.whyImpossible(topic);
        if (impossible != null) {
            session.topicIsAbsent(topic, impossible);
            return;
        }
        try {
            if (!partitionsOf(topic).isEmpty()) {
                session.topicIsThere(topic);
            } else if (isBefore(question.absentAt)) {
                lookAgain(question);
            } else {
                session.topicIsAbsent(topic, errors.missing(topic));
            }
        } catch (WakeupException | InterruptException closing) {
            session.endBecause(errors.unavailable(closing));
        } catch (RuntimeException e) {
            if (e instanceof RetriableException && isBefore(question.awayAt)) {
                lookAgain(question);
            } else {
                tell(session, topic, errors.whenLookingFor(topic, e));
            }
        }
    }

    private static void tell(ProducerSession session, String topic, Delivery why) {
        if (why instanceof Unavailable unavailable) {
            session.endBecause(unavailable);
        } else {
            session.topicIsAbsent(topic, why);
        }
    }

    private void lookAgain(Question question) {
        try {
            var unused = thread.schedule(
                    () -> guard(question.session, () -> look(question)), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException closed) {
            question.session.endBecause(errors.unavailable(closed));
        }
    }

    private Consumer<byte[], byte[]> consumer() {
        Consumer<byte[], byte[]> asking = consumer;
        if (asking == null) {
            asking = new KafkaConsumer<>(properties.consumer());
            consumer = asking;
        }
        return asking;
    }

    private void closeConsumer() {
        Consumer<byte[], byte[]> asking = consumer;
        if (asking != null) {
            consumer = null;
            asking.close(CloseOptions.timeout(Duration.ZERO));
        }
    }

    private static boolean isBefore(long nanoTime) {
        return System.nanoTime() - nanoTime < 0;
    }

    private record Everything(Map<String, List<PartitionInfo>> partitions, long atNanos) {}

    private record Question(String topic, ProducerSession session, long absentAt, long awayAt) {}
}
