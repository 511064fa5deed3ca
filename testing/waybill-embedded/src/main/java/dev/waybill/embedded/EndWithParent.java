package dev.waybill.embedded;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Runs another program's main class, and ends the process when its standard input ends: that happens when its parent ends, even if
 * killed. So no server remains.
 */
public final class EndWithParent {
    private EndWithParent() {}

    /** The class path that this class needs, which is itself alone. */
    public static String classPath() {
        try {
            return Path.of(EndWithParent.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new EmbeddedServerException("The location of Waybill's own classes cannot be read.", e);
        }
    }

    /**
     * @param args the main class, then its arguments
     */
    public static void main(String[] args) throws ReflectiveOperationException {
        Thread watch = new Thread(EndWithParent::endWhenInputEnds, "waybill-end-with-parent");
        watch.setDaemon(true);
        watch.start();
        try {
            Class.forName(args[0]).getMethod("main", String[].class).invoke(null, (Object)
                    Arrays.copyOfRange(args, 1, args.length));
        } catch (InvocationTargetException e) {
            System.err.println(args[0] + " failed: " + e.getCause());
            System.exit(1);
        }
    }

    private static void endWhenInputEnds() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is written to it.
            }
        } catch (IOException e) {
            // Counts as the end.
        }
        Runtime.getRuntime().halt(0);
    }
}
