package dev.waybill.walls;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Set;

/** Sets of classes that a rule can forbid. */
final class Things {
    static final DescribedPredicate<JavaClass> SQL =
            packages("SQL", "java.sql", "javax.sql", "org.postgresql", "org.mariadb");
    static final DescribedPredicate<JavaClass> STATEMENTS = named(
            "statements of their own",
            "java.sql.Statement",
            "java.sql.PreparedStatement",
            "java.sql.CallableStatement",
            "java.sql.ResultSet");
    static final DescribedPredicate<JavaClass> BROKERS = packages(
            "broker clients",
            "org.apache.kafka",
            "com.rabbitmq",
            "com.google.cloud.pubsub",
            "com.google.pubsub",
            "com.google.api",
            "io.grpc");
    static final DescribedPredicate<JavaClass> FRAMEWORKS =
            packages("frameworks", "org.springframework", "jakarta", "io.micronaut", "io.quarkus");
    static final DescribedPredicate<JavaClass> INPUT_AND_OUTPUT =
            packages("I/O", "java.net", "java.nio.file", "java.nio.channels");
    static final DescribedPredicate<JavaClass> JACKSON = packages("Jackson", "tools.jackson", "com.fasterxml.jackson");
    static final DescribedPredicate<JavaClass> TELEMETRY = packages("telemetry", "io.micrometer", "io.opentelemetry");
    static final DescribedPredicate<JavaClass> JSON_SCHEMA = packages("JSON Schema", "com.networknt");
    static final DescribedPredicate<JavaClass> THREADS = named(
            "threads and waiting",
            "java.lang.Thread",
            "java.lang.ThreadLocal",
            "java.util.Timer",
            "java.util.concurrent.Executor",
            "java.util.concurrent.Executors",
            "java.util.concurrent.ExecutorService",
            "java.util.concurrent.ScheduledExecutorService",
            "java.util.concurrent.ForkJoinPool",
            "java.util.concurrent.CompletableFuture",
            "java.util.concurrent.locks.LockSupport",
            "java.util.concurrent.locks.Condition");

    private Things() {}

    static DescribedPredicate<JavaClass> packages(String what, String... roots) {
        return DescribedPredicate.describe(what, type -> {
            for (String root : roots) {
                if (type.getPackageName().equals(root) || type.getPackageName().startsWith(root + ".")) {
                    return true;
                }
            }
            return false;
        });
    }

    /** The given packages without their subpackages. */
    static DescribedPredicate<JavaClass> exactly(String what, String... names) {
        Set<String> all = Set.of(names);
        return DescribedPredicate.describe(what, type -> all.contains(type.getPackageName()));
    }

    private static DescribedPredicate<JavaClass> named(String what, String... names) {
        Set<String> all = Set.of(names);
        return DescribedPredicate.describe(what, type -> all.contains(type.getName()));
    }
}
