package dev.waybill.build;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Class loader of the compiler's plug-ins that outlives a compilation. Without it each of Maven's compilations, two for a module,
 * loads Error Prone anew, interprets it and compiles it again to machine code, which takes longer than the rest.
 *
 * <p>javac creates it by name (-XDprocloader) and finds it on the boot class path, where ./check puts it; otherwise it uses a
 * loader of its own.
 */
public final class SharedPluginLoader extends ClassLoader {
    private static final Map<List<String>, ClassLoader> LOADERS = new ConcurrentHashMap<>();

    public SharedPluginLoader(URL[] path, ClassLoader parent) {
        super(LOADERS.computeIfAbsent(
                Arrays.stream(path).map(URL::toString).toList(), same -> new URLClassLoader(path, parent)));
    }
}
