package dev.waybill.example.embedded;

import dev.waybill.embedded.KafkaServer;
import dev.waybill.embedded.PostgresServer;
import dev.waybill.example.orders.OrdersApplication;

/** Starts PostgreSQL and Kafka on loopback, and the application with them. All end together. */
final class RunOnEmbeddedServers {
    private RunOnEmbeddedServers() {}

    public static void main(String[] args) {
        PostgresServer postgres = PostgresServer.start();
        KafkaServer kafka = KafkaServer.start();
        System.setProperty("spring.datasource.url", postgres.jdbcUrl(postgres.createDatabase("orders")));
        System.setProperty("spring.kafka.bootstrap-servers", kafka.bootstrapServers());
        System.setProperty("server.address", "127.0.0.1");
        OrdersApplication.main(args);
    }
}
