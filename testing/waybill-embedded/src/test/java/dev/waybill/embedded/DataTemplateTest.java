package dev.waybill.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataTemplateTest {
    @Test
    void a_template_that_another_process_creates_at_the_same_time_is_used(@TempDir Path temporary) throws IOException {
        DataTemplate template = new DataTemplate(temporary.resolve("template"));
        ServerDirectory server = ServerDirectory.create("template-test");
        try {
            template.copyTo(server, ours -> {
                Files.createDirectories(ours.data());
                Files.writeString(ours.data().resolve("by"), "us");
                Files.createDirectories(template.data());
                Files.writeString(template.data().resolve("by"), "another");
            });
            assertThat(server.data().resolve("by")).hasContent("another");
        } finally {
            server.delete();
        }
    }
}
