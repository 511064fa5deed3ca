package dev.waybill.example.kit;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Keeps a second run from emptying the folder of one that is running. It ends with its process, however that ends. */
final class FolderLock implements AutoCloseable {
    private final FileChannel channel;

    private FolderLock(FileChannel channel) {
        this.channel = channel;
    }

    /** @throws IllegalStateException if another run has it, or if it cannot be created */
    static FolderLock of(Path folder) {
        Path file = folder.resolveSibling(folder.getFileName() + ".lock");
        try {
            Files.createDirectories(folder.getParent());
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!isLocked(channel)) {
                channel.close();
                throw new IllegalStateException("This example is running already, with its files in " + folder
                        + ". End it first, or set WAYBILL_EXAMPLE_FOLDER to another folder.");
            }
            return new FolderLock(channel);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "The file " + file + " cannot be written (" + e + "). Is it another user's? Set"
                            + " WAYBILL_EXAMPLE_FOLDER to a folder of your own.",
                    e);
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
