package dev.waybill.spring.wrong;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.spring.AggregateId;
import dev.waybill.spring.AppendedAs;
import dev.waybill.spring.EventMapping;
import dev.waybill.spring.Runner;
import dev.waybill.spring.SpringOutbox;
import dev.waybill.spring.wrong.elsewhere.Elsewhere;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

class MappingMistakesTest {
    private final ApplicationContextRunner runner =
            Runner.onH2("mappings").withPropertyValues("waybill.stores.main.schema=create");

    @Test
    void wrong_annotations_are_reported_together_at_the_start() {
        runner.withUserConfiguration(WrongEvents.class).run(context -> {
            assertThat(context).hasFailed();
            assertThat(Runner.analysis(context.getStartupFailure()).getDescription())
                    .contains("WithoutId: it has @AppendedAs, but no part with @AggregateId")
                    .contains("WithTwoIds: it has @AppendedAs, but 2 parts with @AggregateId")
                    .contains("WithArray: its part with @AggregateId is a byte[], which has no toString() of its own")
                    .contains("WithoutType: The event has no type")
                    .contains("WithParameter: its method id has @AggregateId and parameters");
        });
    }

    @Test
    void an_annotation_with_an_unknown_store_is_reported() {
        runner.withUserConfiguration(Elsewhere.class).run(context -> {
            assertThat(context).hasFailed();
            assertThat(Runner.analysis(context.getStartupFailure()).getDescription())
                    .contains("no store is named nowhere", "[main]");
        });
    }

    @Test
    void two_mappings_of_one_class_are_reported() {
        runner.withUserConfiguration(TwoMappings.class).run(context -> {
            assertThat(context).hasFailed();
            assertThat(Runner.analysis(context.getStartupFailure()).getDescription())
                    .contains("java.lang.String has several EventMapping beans");
        });
    }

    @Test
    void a_mapping_that_no_object_can_have_is_reported() {
        runner.withBean(
                        "ofInterface",
                        EventMapping.class,
                        () -> EventMapping.of(
                                CharSequence.class,
                                (text, json) -> Event.of("a")
                                        .aggregate("A", text.toString())
                                        .payload(Payload.json("1"))))
                .run(context -> {
                    assertThat(context).hasFailed();
                    assertThat(Runner.analysis(context.getStartupFailure()).getDescription())
                            .contains("java.lang.CharSequence has an EventMapping bean, but it is abstract");
                });
    }

    @Test
    void a_context_with_a_parent_appends_each_published_event_once() {
        Runner.onH2("hierarchy")
                .withPropertyValues("waybill.stores.main.schema=create")
                .run(parent -> Runner.bare().withParent(parent).run(child -> {
                    TransactionTemplate transaction = child.getBean(TransactionTemplate.class);
                    transaction.executeWithoutResult(status -> child.publishEvent(new Published("1")));
                    transaction.executeWithoutResult(
                            status -> child.getBean(SpringOutbox.class).append(new Published("2")));
                    assertThat(child.getBean(JdbcTemplate.class)
                                    .queryForList("select aggregate_id from waybill_event order by 1", String.class))
                            .containsExactly("1", "2");
                }));
    }

    @Test
    void a_multicaster_with_threads_of_its_own_still_appends_in_the_transaction() {
        runner.withUserConfiguration(AsyncEvents.class).run(context -> {
            context.getBean(TransactionTemplate.class)
                    .executeWithoutResult(status -> context.publishEvent(new Published("7")));
            assertThat(context.getBean(SpringOutbox.class)).isNotNull();
            assertThat(context.getBean(JdbcTemplate.class)
                            .queryForObject("select aggregate_id from waybill_event", String.class))
                    .isEqualTo("7");
        });
    }

    @AppendedAs(type = "p.v1", aggregate = "P")
    record Published(@AggregateId String id) {}

    @Configuration(proxyBeanMethods = false)
    static class AsyncEvents {
        @Bean
        SimpleApplicationEventMulticaster applicationEventMulticaster() {
            SimpleApplicationEventMulticaster multicaster = new SimpleApplicationEventMulticaster();
            multicaster.setTaskExecutor(new SimpleAsyncTaskExecutor());
            return multicaster;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoMappings {
        @Bean
        EventMapping<String> one() {
            return EventMapping.of(
                    String.class,
                    (text, json) -> Event.of("a").aggregate("A", text).payload(Payload.json("1")));
        }

        @Bean
        EventMapping<String> other() {
            return one();
        }
    }
}
