/** RabbitMQ as a destination, as a source of messages, and as a place for dead letters, over AMQP 0-9-1. */
@NullMarked
package dev.waybill.rabbitmq;

import org.jspecify.annotations.NullMarked;
