package dev.waybill.spring.wrong;

import dev.waybill.spring.AggregateId;
import dev.waybill.spring.AppendedAs;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.context.annotation.Configuration;

/** An application whose domain events have mistakes. */
@Configuration(proxyBeanMethods = false)
@AutoConfigurationPackage
public class WrongEvents {
    @AppendedAs(type = "a.v1", aggregate = "A")
    record WithoutId(String name) {}

    @AppendedAs(type = "b.v1", aggregate = "B")
    record WithTwoIds(@AggregateId String one, @AggregateId String other) {}

    @AppendedAs(type = " ", aggregate = "C")
    record WithoutType(@AggregateId String id) {}

    @AppendedAs(type = "e.v1", aggregate = "E")
    record WithArray(@AggregateId byte[] id) {}

    /** An id that is computed. */
    @AppendedAs(type = "d.v1", aggregate = "D")
    static class WithParameter {
        @AggregateId
        String id(int part) {
            return "d" + part;
        }
    }
}
