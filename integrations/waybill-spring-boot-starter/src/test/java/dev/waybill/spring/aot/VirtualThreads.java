package dev.waybill.spring.aot;

import dev.waybill.Event;
import dev.waybill.NoTransactionException;
import dev.waybill.Payload;
import dev.waybill.spring.HandlesOnce;
import dev.waybill.spring.SpringOutbox;
import dev.waybill.testkit.Await;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.support.TransactionTemplate;

/** An application on virtual threads; it prints which threads do what. Compiled for a Java that has none. */
@Configuration(proxyBeanMethods = false)
@EnableAsync
@EnableAutoConfiguration(exclude = {HibernateJpaAutoConfiguration.class, DataJpaRepositoriesAutoConfiguration.class})
public class VirtualThreads {
    static final String TYPE = "thread.used.v1";
    static final int EVENTS = 20;

    /** Handles the events, and notes its threads. */
    static class Handlers {
        private final AtomicInteger handled = new AtomicInteger();
        private final Set<String> threads = new ConcurrentSkipListSet<>();

        @HandlesOnce(consumer = "threads", type = TYPE)
        void on(String payload) {
            threads.add(kind());
            handled.incrementAndGet();
        }
    }

    /** Appends on another thread than its caller. */
    static class Appending {
        private final SpringOutbox outbox;

        Appending(SpringOutbox outbox) {
            this.outbox = outbox;
        }

        @Async
        public CompletableFuture<String> append() {
            try {
                outbox.append(event(0));
                return CompletableFuture.completedFuture("appended");
            } catch (NoTransactionException e) {
                return CompletableFuture.completedFuture(kind() + ", "
                        + (String.valueOf(e.getMessage()).contains("@Async") ? "with the remedy" : "without it"));
            }
        }
    }

    @Bean
    Handlers handlers() {
        return new Handlers();
    }

    @Bean
    Appending appending(SpringOutbox outbox) {
        return new Appending(outbox);
    }

    private static Event event(int number) {
        return Event.of(TYPE).aggregate("Thread", Integer.toString(number)).payload(Payload.json("{}"));
    }

    private static String kind() {
        return Thread.currentThread().toString().startsWith("VirtualThread") ? "virtual" : "platform";
    }

    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        try (ConfigurableApplicationContext context = SpringApplication.run(VirtualThreads.class, arguments)) {
            AsyncTaskExecutor executor = context.getBean("applicationTaskExecutor", AsyncTaskExecutor.class);
            TransactionTemplate transaction = context.getBean(TransactionTemplate.class);
            SpringOutbox outbox = context.getBean(SpringOutbox.class);
            List<Future<String>> appending = IntStream.range(0, EVENTS)
                    .mapToObj(number -> executor.submit(() -> {
                        transaction.executeWithoutResult(status -> outbox.append(event(number)));
                        return kind();
                    }))
                    .toList();
            Set<String> kinds = new ConcurrentSkipListSet<>();
            for (Future<String> each : appending) {
                kinds.add(each.get());
            }
            System.out.println("appends on threads: " + kinds);
            Appending asynchronous = context.getBean(Appending.class);
            System.out.println("refused: "
                    + transaction.execute(status -> asynchronous.append().join()));
            Handlers handlers = context.getBean(Handlers.class);
            Await.until(() -> "handled: " + handlers.handled, () -> handlers.handled.get() == EVENTS);
            System.out.println("handlers on threads: " + handlers.threads);
            // lists platform threads only
            System.out.println("platform threads: "
                    + Thread.getAllStackTraces().keySet().stream()
                            .map(Thread::getName)
                            .filter(name -> name.startsWith("waybill-"))
                            .sorted()
                            .toList());
        }
    }
}
