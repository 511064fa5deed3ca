package dev.waybill.server.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Connections on which something was sent that does not end. */
public final class HalfSent implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 60_000;

    private final int port;
    private final List<Socket> sockets = new ArrayList<>();

    public HalfSent(int port) {
        this.port = port;
    }

    public void send(String bytes) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        sockets.add(socket);
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
    }

    /** Whether the server has closed it, waiting for that if need be. */
    public boolean isEnded(int index) throws IOException {
        try {
            return sockets.get(index).getInputStream().read() < 0;
        } catch (SocketException e) {
            return true;
        }
    }

    public String answer(int index) throws IOException {
        return new String(sockets.get(index).getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
