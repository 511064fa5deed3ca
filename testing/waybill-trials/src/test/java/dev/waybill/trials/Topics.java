package dev.waybill.trials;

import dev.waybill.testkit.Await;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * Creates topics and their access rules. The controller answers before the broker has applied a change, so each method waits
 * until it has.
 */
final class Topics {
    private static final int PARTITIONS = 3;
    private static final short REPLICAS = 1;

    private Topics() {}

    private interface Request<T> {
        KafkaFuture<T> to(Admin admin);
    }

    static void make(Collection<String> topics) {
        topics.forEach(topic -> make(topic, Map.of()));
    }

    static void make(String topic, Map<String, String> settings) {
        make(topic, PARTITIONS, settings);
    }

    static void make(String topic, int partitions, Map<String, String> settings) {
        NewTopic made = new NewTopic(topic, partitions, REPLICAS).configs(settings);
        ask(admin -> admin.createTopics(List.of(made)).all());
        Await.until(
                "topic " + topic, () -> ask(admin -> admin.listTopics().names()).contains(topic));
    }

    /** Many topics with one partition each, in one request. */
    static void makeSmall(Collection<String> topics) {
        List<NewTopic> made =
                topics.stream().map(topic -> new NewTopic(topic, 1, REPLICAS)).toList();
        ask(admin -> admin.createTopics(made).all());
        Await.until(
                made.size() + " topics",
                () -> ask(admin -> admin.listTopics().names()).containsAll(topics));
    }

    /** A topic with an access rule is closed to all other users. */
    static void rule(String topic, AclOperation operation, AclPermissionType permission) {
        AccessControlEntry entry = new AccessControlEntry("User:ANONYMOUS", "*", operation, permission);
        ResourcePattern pattern = new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL);
        AclBinding rule = new AclBinding(pattern, entry);
        ask(admin -> admin.createAcls(List.of(rule)).all());
        Await.until("rule " + rule, () -> rulesLike(rule.toFilter()).contains(rule));
    }

    static void forgetRules(String topic) {
        ResourcePattern pattern = new ResourcePattern(ResourceType.TOPIC, topic, PatternType.LITERAL);
        AclBindingFilter rules = new AclBindingFilter(pattern.toFilter(), AccessControlEntryFilter.ANY);
        ask(admin -> admin.deleteAcls(List.of(rules)).all());
        Await.until("no rules of " + topic, () -> rulesLike(rules).isEmpty());
    }

    /** As the broker applies them. */
    private static Collection<AclBinding> rulesLike(AclBindingFilter filter) {
        return ask(admin -> admin.describeAcls(filter).values());
    }

    private static <T> T ask(Request<T> request) {
        try (Admin admin =
                Admin.create(Map.of("bootstrap.servers", TrialServers.kafka().bootstrapServers()))) {
            return request.to(admin).get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError("Kafka did not do what the trial needs.", e);
        }
    }
}
