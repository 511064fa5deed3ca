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
 * Hides secrets in the standard output and the standard error, whatever writes there: commands, logs, a library, or the JVM with
 * the stack trace of a dead thread. A line is written when it is complete, or when the writer flushes.
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
     * The original streams, for commands, which hide secrets before they format lines, JSON or scripts. In a formatted line, values
     * cannot be told from our own words.
     */
    public record Terminals(PrintWriter out, PrintWriter err) {}

    /** From now on, secrets are hidden in everything written to {@link System#out} and {@link System#err}. */
    public static Terminals install(Secrets secrets) {
        Terminals own = new Terminals(
                new PrintWriter(System.out, true, usable(charset("stdout"))),
                new PrintWriter(System.err, true, usable(charset("stderr"))));
        System.setOut(on(System.out, charset("stdout"), secrets));
        System.setErr(on(System.err, charset("stderr"), secrets));
        return own;
    }

    /** Without automatic flushing, which would split long lines, and perhaps a secret. */
    static PrintStream on(PrintStream stream, Charset wanted, Secrets secrets) {
        Charset charset = usable(wanted);
        secrets.printedIn(charset);
        return new PrintStream(new ScrubbedOutput(stream, secrets), false, charset);
    }

    /** The charset in which commands print to the standard output. */
    public static Charset charsetOfOutput() {
        return usable(charset("stdout"));
    }

    private static Charset usable(Charset wanted) {
        return endsLinesWithOneByte(wanted) ? wanted : StandardCharsets.UTF_8;
    }

    /** In other encodings, such as UTF-16, line ends cannot be found by bytes. Terminals and logs do not use them. */
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
