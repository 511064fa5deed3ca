package dev.waybill.example.polyshop.common;

import org.slf4j.LoggerFactory;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** Runs a service with Spring Boot. Its settings are in {@code polyshop/NAME.yaml}, those of several in other files beside it. */
public final class SpringService {
    private SpringService() {}

    /** With a database, an outbox and a table of processed events. */
    public static void runWithEvents(Class<?> application, String name, String[] arguments) {
        run(application, name, "common,events," + name, arguments);
    }

    public static void runWithoutEvents(Class<?> application, String name, String[] arguments) {
        run(application, name, "common," + name, arguments);
    }

    private static void run(Class<?> application, String name, String files, String[] arguments) {
        new SpringApplicationBuilder(application)
                .properties(
                        "spring.config.location=classpath:polyshop/",
                        "spring.config.name=" + files,
                        "spring.application.name=" + name)
                .run(arguments);
        LoggerFactory.getLogger(application).info("{} is ready", name);
    }
}
