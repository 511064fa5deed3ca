package dev.waybill.spring.boot.run;

import dev.waybill.jsonschema.RegistryFile;
import dev.waybill.jsonschema.RegistryFileException;
import dev.waybill.registry.EventRegistry;
import java.io.IOException;
import java.nio.file.Path;
import org.springframework.core.io.DefaultResourceLoader;
import org.springframework.util.ClassUtils;

/** Reads an event registry from a location such as {@code classpath:events.json}. */
final class RegistryLocation {
    private static final boolean READABLE =
            ClassUtils.isPresent("dev.waybill.jsonschema.RegistryFile", RegistryLocation.class.getClassLoader());

    private RegistryLocation() {}

    /** @throws IllegalArgumentException if it cannot be read; the message says why */
    static EventRegistry read(String location) {
        if (!READABLE) {
            throw new IllegalArgumentException(
                    "the registry needs the module waybill-json-schema, which is not on the class path: add it");
        }
        try {
            return Files.read(
                    new DefaultResourceLoader().getResource(location).getFile().toPath());
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the registry " + location
                            + " is not a file: write file:PATH, or classpath:NAME for one that is not in a" + " jar",
                    e);
        }
    }

    /** Loaded only with its module. */
    private static final class Files {
        static EventRegistry read(Path file) {
            try {
                return RegistryFile.read(file);
            } catch (RegistryFileException e) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
        }
    }
}
