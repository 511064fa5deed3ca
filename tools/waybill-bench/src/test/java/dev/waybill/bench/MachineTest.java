package dev.waybill.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineTest {
    @Test
    void the_checkout_is_that_of_the_code_and_not_of_the_current_directory() {
        Path module = Path.of("").toAbsolutePath();
        assertThat(Machine.home(Machine.class)).startsWith(module);
        assertThat(Files.isDirectory(Machine.home(Test.class)))
                .as("the folder of a jar")
                .isTrue();
    }

    @Test
    void a_folder_outside_of_a_checkout_has_no_commit(@TempDir Path folder) {
        assertThat(Machine.commit(folder)).isEmpty();
    }
}
