package dev.waybill.bench.servers;

import dev.waybill.embedded.TcpProxy;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** A link on which every byte arrives later, as from another building. Its bandwidth is not limited. */
final class DelayedLink implements TcpProxy.Protocol {
    private static final int CHUNK = 1 << 16;

    /** Chunks on their way in one direction. */
    private static final int UNDERWAY = 1 << 10;

    private final long nanos;
    private final LongAdder roundTrips;

    /**
     * @param oneWay later than it would, in each direction
     * @param roundTrips counts how often a reply follows a request
     */
    DelayedLink(Duration oneWay, LongAdder roundTrips) {
        this.nanos = oneWay.toNanos();
        this.roundTrips = roundTrips;
    }

    /** One without bytes is the last of its direction. */
    private record Chunk(byte[] bytes, long due) {}

    @Override
    public List<TcpProxy.Work> forward(Socket client, Socket server) throws IOException {
        BlockingQueue<Chunk> there = new ArrayBlockingQueue<>(UNDERWAY);
        BlockingQueue<Chunk> back = new ArrayBlockingQueue<>(UNDERWAY);
        InputStream requests = client.getInputStream();
        InputStream replies = server.getInputStream();
        OutputStream toServer = server.getOutputStream();
        OutputStream toClient = client.getOutputStream();
        AtomicBoolean asked = new AtomicBoolean();
        return List.of(
                () -> deliver(there, toServer),
                () -> deliver(back, toClient),
                () -> read(requests, there, () -> asked.set(true)),
                () -> read(replies, back, () -> {
                    if (asked.compareAndSet(true, false)) {
                        roundTrips.increment();
                    }
                }));
    }

    /** Waits after the end until the other thread has delivered the last bytes: when this returns, the sockets are closed. */
    private void read(InputStream from, BlockingQueue<Chunk> underway, Runnable counting) throws IOException {
        byte[] buffer = new byte[CHUNK];
        try {
            int length = from.read(buffer);
            while (length >= 0) {
                counting.run();
                underway.put(new Chunk(Arrays.copyOf(buffer, length), System.nanoTime() + nanos));
                length = from.read(buffer);
            }
            underway.put(new Chunk(new byte[0], System.nanoTime() + nanos));
            while (!underway.isEmpty()) {
                LockSupport.parkNanos(nanos);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("The delayed link was interrupted.");
        }
    }

    private static void deliver(BlockingQueue<Chunk> underway, OutputStream to) throws IOException {
        try {
            Chunk chunk;
            do {
                chunk = underway.take();
                for (long left = chunk.due - System.nanoTime(); left > 0; left = chunk.due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                to.write(chunk.bytes);
            } while (chunk.bytes.length > 0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("The delayed link was interrupted.");
        }
    }
}
