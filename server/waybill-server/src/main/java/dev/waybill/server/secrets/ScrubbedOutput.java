package dev.waybill.server.secrets;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The standard output and the standard error without secrets, whoever writes there: commands, logs, a library, or the JVM with
 * the stack trace of a thread that died. A line is passed on when it is whole, or when the writer flushes.
 */
public final class ScrubbedOutput extends OutputStream {
    private final OutputStream target;
    private final Secrets secrets;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    private ScrubbedOutput(OutputStream target, Secrets secrets) {
        this.target = target;
        this.secrets = secrets;
    }

    /**
     * The streams themselves, for commands: they hide what is a secret before they make lines, JSON or scripts of it. In the line
     * nobody can tell a value from a word of ours.
     */
    public record Terminals(PrintWriter out, PrintWriter err) {}

    /** From now on nobody prints a secret in this process, whatever is written to {@link System#out} and {@link System#err}. */
    public static Terminals install(Secrets secrets) {
        Terminals own = new Terminals(
                new PrintWriter(System.out, true, usable(charset("stdout"))),
                new PrintWriter(System.err, true, usable(charset("stderr"))));
        System.setOut(on(System.out, charset("stdout"), secrets));
        System.setErr(on(System.err, charset("stderr"), secrets));
        return own;
    }

    /** Without flushing of its own after every piece: that would cut a long line, and perhaps a secret, in two. */
    static PrintStream on(PrintStream stream, Charset wanted, Secrets secrets) {
        Charset charset = usable(wanted);
        secrets.printedIn(charset);
        return new PrintStream(new ScrubbedOutput(stream, secrets), false, charset);
    }

    private static Charset usable(Charset wanted) {
        return endsLinesWithOneByte(wanted) ? wanted : StandardCharsets.UTF_8;
    }

    /** In others, such as UTF-16, lines cannot be told apart by their bytes: nobody writes to a terminal or a log in them. */
    private static boolean endsLinesWithOneByte(Charset charset) {
        return charset.canEncode() && Arrays.equals("\n".getBytes(charset), new byte[] {'\n'});
    }

    private static Charset charset(String stream) {
        String otherwise = System.getProperty(
                "sun." + stream + ".encoding", Charset.defaultCharset().name());
        return Charset.forName(System.getProperty(stream + ".encoding", otherwise));
    }

    @Override
    public synchronized void write(int b) throws IOException {
        line.write(b);
        if (b == '\n') {
            flush();
        }
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        int begin = offset;
        for (int at = offset; at < offset + length; at++) {
            if (bytes[at] == '\n') {
                line.write(bytes, begin, at + 1 - begin);
                begin = at + 1;
                flush();
            }
        }
        line.write(bytes, begin, offset + length - begin);
    }

    @Override
    public synchronized void flush() throws IOException {
        if (line.size() > 0) {
            target.write(secrets.hide(line.toByteArray()));
            line.reset();
        }
        target.flush();
    }
}
