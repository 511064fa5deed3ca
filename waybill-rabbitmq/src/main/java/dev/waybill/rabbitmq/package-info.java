/** RabbitMQ as a destination, over AMQP 0-9-1. */
@NullMarked
package dev.waybill.rabbitmq;

import org.jspecify.annotations.NullMarked;
