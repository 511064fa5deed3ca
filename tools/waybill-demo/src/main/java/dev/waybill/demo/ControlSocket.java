package dev.waybill.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Where a demo hears what to break: a socket in its folder, which only its user may enter. A request is the word of a breakage and
 * a number of seconds; the answer is {@code +} or {@code -} and a text.
 */
final class ControlSocket implements AutoCloseable {
    private static final String NAME = "control";
    private static final char DONE = '+';
    private static final char REFUSED = '-';

    private final ServerSocketChannel server;
    private final Troubles troubles;
    private final Thread thread;

    /** @param done whether it was done, or refused */
    record Reply(boolean done, String text) {}

    private ControlSocket(ServerSocketChannel server, Troubles troubles) {
        this.server = server;
        this.troubles = troubles;
        this.thread = new Thread(this::serve, "demo-control");
        thread.setDaemon(true);
    }

    static ControlSocket open(DemoFolder folder, Troubles troubles) {
        try {
            ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            server.bind(UnixDomainSocketAddress.of(folder.path().resolve(NAME)));
            ControlSocket socket = new ControlSocket(server, troubles);
            socket.thread.start();
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException("The demo cannot listen in " + folder.path() + ".", e);
        }
    }

    /** @throws IOException if no demo with this process id listens */
    static Reply ask(long pid, Breakage what, int seconds) throws IOException {
        Path socket = DemoFolder.of(pid).resolve(NAME);
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            write(channel, what.word() + " " + seconds + "\n");
            channel.shutdownOutput();
            String text = reader(channel).lines().collect(Collectors.joining("\n"));
            if (text.isEmpty()) {
                throw new IOException("it ended without an answer");
            }
            return new Reply(text.charAt(0) == DONE, text.substring(1));
        }
    }

    private void serve() {
        while (true) {
            try (SocketChannel channel = server.accept()) {
                write(channel, answer(String.valueOf(reader(channel).readLine())));
            } catch (ClosedChannelException e) {
                return;
            } catch (IOException e) {
                Shop.say("a command to break something was not answered: " + e.getMessage());
            }
        }
    }

    private String answer(String line) {
        String[] words = line.split(" ", -1);
        try {
            return DONE + troubles.cause(Breakage.valueOf(words[0].toUpperCase(Locale.ROOT)), seconds(words));
        } catch (IllegalArgumentException e) {
            return REFUSED + "The demo does not know this command; it may be of another version.";
        } catch (IllegalStateException e) {
            return REFUSED + String.valueOf(e.getMessage());
        }
    }

    private static int seconds(String[] words) {
        if (words.length != 2) {
            throw new IllegalArgumentException("a request has two words");
        }
        return Integer.parseInt(words[1]);
    }

    private static BufferedReader reader(SocketChannel channel) {
        return new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
    }

    private static void write(SocketChannel channel, String text) throws IOException {
        ByteBuffer bytes = StandardCharsets.UTF_8.encode(text);
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
