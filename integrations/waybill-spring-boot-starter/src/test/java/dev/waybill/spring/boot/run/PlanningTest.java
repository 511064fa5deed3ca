package dev.waybill.spring.boot.run;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.spring.HandlesOnce;
import dev.waybill.spring.Runner;
import dev.waybill.spring.boot.WaybillRunAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Plans of relays and consumers, and mistakes in them. No server is needed for that. */
class PlanningTest {
    private final ApplicationContextRunner runner = Runner.onH2("planning")
            .withConfiguration(AutoConfigurations.of(KafkaAutoConfiguration.class, WaybillRunAutoConfiguration.class))
            .withPropertyValues("waybill.stores.main.schema=create");

    private static String descriptionOf(ApplicationContextRunner configured) {
        String[] description = new String[1];
        configured.run(context ->
                description[0] = Runner.analysis(context.getStartupFailure()).getDescription());
        return description[0];
    }

    @Test
    void two_brokers_and_no_choice_fail_the_start_and_both_are_listed() {
        assertThat(descriptionOf(runner.withConfiguration(AutoConfigurations.of(RabbitAutoConfiguration.class))))
                .contains("1 error", "waybill.relays.main.destination", "[kafka, rabbitmq]", "set it to one of them");
    }

    @Test
    void an_application_without_a_broker_warns_that_its_events_wait() {
        Logger logger = (Logger) LoggerFactory.getLogger(RunningRelays.class);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        logger.addAppender(logged);
        logger.setLevel(Level.WARN);
        try {
            Runner.onH2("without_broker")
                    .withConfiguration(AutoConfigurations.of(WaybillRunAutoConfiguration.class))
                    .withPropertyValues("waybill.stores.main.schema=create")
                    .run(context -> assertThat(context).hasNotFailed());
        } finally {
            logger.detachAppender(logged);
            logger.setLevel(null);
        }

        assertThat(logged.list)
                .singleElement()
                .satisfies(warning -> assertThat(warning.getFormattedMessage())
                        .contains("No relay runs", "waybill-kafka", "waybill.auto-startup=false"));
    }

    @Test
    void all_relays_that_cannot_be_planned_are_reported_at_once() {
        assertThat(descriptionOf(runner.withPropertyValues(
                        "waybill.relays.one.store=main",
                        "waybill.relays.one.destination=rabbitmq",
                        "waybill.relays.two.store=main",
                        "waybill.relays.two.destination=kafka",
                        "waybill.relays.two.registry=file:nowhere.json")))
                .contains(
                        "2 errors",
                        "waybill.relays.one.destination: is \"rabbitmq\", but there is no such destination",
                        "waybill.relays.two:",
                        "nowhere.json");
    }

    /** Handler methods that cannot be used. */
    static class BadHandlers {
        @HandlesOnce(consumer = "known", type = "a")
        void withoutParameters() {}

        @HandlesOnce(consumer = "known", type = "b")
        String returning(String text) {
            return text;
        }

        @HandlesOnce(consumer = "known", type = "c")
        void one(String text) {}

        @HandlesOnce(consumer = "known", type = "c")
        void another(byte[] bytes) {}

        @HandlesOnce(consumer = "knwon", type = "d")
        void ofUnknownConsumer(ReceivedEvent event) {}

        @HandlesOnce(consumer = "known")
        void withoutType(ReceivedEvent event) {}

        @HandlesOnce(consumer = "known", type = "e")
        void twoPayloads(String text, byte[] bytes) {}

        @Async
        @HandlesOnce(consumer = "known", type = "f")
        void later(String text) {}

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        @HandlesOnce(consumer = "known", type = "g")
        void apart(String text) {}
    }

    @Test
    void all_mistakes_in_handler_methods_are_reported_at_once() {
        assertThat(descriptionOf(runner.withBean(BadHandlers.class)
                        .withPropertyValues(
                                "waybill.consumers.known.destination=kafka", "waybill.consumers.known.topics=t")))
                .contains(
                        "8 errors",
                        "later: it is asynchronous",
                        "apart: its @Transactional has a propagation that leaves the transaction of the inbox",
                        "withoutParameters: it has 0 parameters",
                        "returning: it returns String",
                        "the consumer known has another method for c",
                        "ofUnknownConsumer: there is no consumer knwon",
                        "withoutType: it has no type",
                        "twoPayloads: it has 2 parameters");
    }

    static class Handlers {
        @HandlesOnce(consumer = "patient", type = "a")
        void on(String text) {}
    }

    @ParameterizedTest
    @CsvSource({"120s, 100s, 100s", "120s, 119s, 108s", "10s, 15s, 9s"})
    void the_grace_time_of_a_consumer_is_limited_by_the_phase_of_the_shutdown_alone(
            String phase, String grace, String planned) {
        runner.withBean(Handlers.class)
                .withPropertyValues(
                        "waybill.auto-startup=false",
                        "spring.lifecycle.timeout-per-shutdown-phase=" + phase,
                        "waybill.consumers.patient.grace=" + grace)
                .run(context -> assertThat(
                                context.getBean(RunningConsumers.class).planned())
                        .extracting(consumer -> consumer.options().grace())
                        .containsExactly(DurationStyle.detectAndParse(planned)));
    }
}
