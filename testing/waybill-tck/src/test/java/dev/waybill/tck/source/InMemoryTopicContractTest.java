package dev.waybill.tck.source;

import dev.waybill.spi.MessageSource;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.tck.destination.DestinationHarness.Outage;
import dev.waybill.tck.memory.InMemoryTopic;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

class InMemoryTopicContractTest extends SourceContract {
    @Override
    protected SourceHarness newSource() {
        return new Harness(new InMemoryTopic("orders"));
    }

    private record Harness(InMemoryTopic memory) implements SourceHarness {
        @Override
        public MessageSource source() {
            return memory;
        }

        @Override
        public String topic() {
            return "orders";
        }

        @Override
        public void send(List<Sent> messages) {
            for (Sent each : messages) {
                Header[] headers = each.headers().entrySet().stream()
                        .map(header ->
                                new Header(header.getKey(), header.getValue().getBytes(StandardCharsets.UTF_8)))
                        .toArray(Header[]::new);
                memory.send(each.key(), each.value(), headers);
            }
        }

        @Override
        public boolean acknowledgesEach() {
            return true;
        }

        @Override
        public boolean membersKeepOrder() {
            return false;
        }

        @Override
        public Optional<Outage> outage() {
            return Optional.of(new Outage() {
                @Override
                public void begin() {
                    memory.fail("The topic is away.");
                }

                @Override
                public void end() {
                    memory.recover();
                }
            });
        }

        @Override
        public void close() {}
    }
}
