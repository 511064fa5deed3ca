package dev.waybill.bench;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Finds figures about speed in a text: rates, times of events, shares of another system's rate, and what an event costs. */
final class SpeedFigures {
    private static final String NUMBER = "(?<![\\d.,])\\b\\d+(?:[,.]\\d+)*";
    private static final String WORD =
            "\\b(?:an?|one|half|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|fifty"
                    + "|several|(?:dozen|hundred|thousand|million|billion)s?)\\b";
    private static final String ONE = "(?:" + NUMBER + "|" + WORD + ")";
    private static final String QUANTITY = ONE
            + "(?:\\s?(?:k|m|(?:(?:of )?an? )?(?:dozen|hundred|thousand|million|billion)s?|of (?:thousand|million)s)\\b)*";
    private static final String THINGS =
            "(?:events?|evs?|messages?|msgs?|transactions?|records?|rows?|inserts?|commits?|of (?:them|these))";
    private static final String UNIT = "(?:m?s|sec|(?:milli)?seconds?|min|minutes?|h|hours?|days?)\\b";
    private static final String IN_EACH = " (?:an?|per|each|every) " + UNIT;
    private static final String SMALL_UNIT = "(?:ms|[µμu]s|(?:milli|micro)seconds?)\\b";
    private static final String SHORT_TIME = ONE + " ?" + SMALL_UNIT;
    private static final String TIME = ONE + " ?(?:s\\b|seconds?|minutes?|" + SMALL_UNIT + ")";
    private static final String FRACTION =
            "\\b(?:half|(?:third|quarter|fifth|sixth|seventh|eighth|ninth|tenth|hundredth)s?)\\b";
    private static final String MEASURE =
            "\\b(?:p\\d\\d(?:\\.\\d+)?|percentiles?|median|latenc(?:y|ies)|on average)\\b";
    private static final String COMPARED =
            "(?:Debezium|namastack|gruelbox|Spring Modulith|pipe\\b|raw producer|smallest insert|CPU|processor time|throughput|rates?\\b"
                    + "|latency|as fast|as quick|as slow|as many events|more events|as long as|longer|faster|quicker|slower)";
    /** Within a sentence. */
    private static final String ANY = "(?:[^.]|\\.\\d)";

    /** A rate that is at most so high is a setting, and half a second is a time. */
    private static final String RATE = "(?<!at most )(?!half an?\\b(?! (?:million|thousand|dozen|hundred)))" + QUANTITY
            + " ?" + THINGS + "?(?: ?/ ?" + UNIT + "|" + IN_EACH + ")";

    private static final Pattern FIGURE = Pattern.compile(
            String.join(
                    "|",
                    RATE,
                    QUANTITY + " " + THINGS + " (?:\\w+ ){0,2}(?:in|within|takes?) (?:\\w+ )?" + TIME,
                    "\\bin (?:\\w+ )?" + TIME + ",? (?:\\w+ ){0,3}" + QUANTITY + " " + THINGS,
                    "(?:\\bthroughput|" + THINGS + IN_EACH + ")(?:[:=| ]|\\bis\\b|\\bof\\b)+" + NUMBER,
                    TIME + " for " + QUANTITY + " " + THINGS,
                    // Heads of tables
                    "\\b" + THINGS + " ?/ ?" + UNIT,
                    "\\bp\\d\\d(?:\\.\\d+)? " + SMALL_UNIT,
                    // Times of events
                    MEASURE + ANY + "{0,60}?" + SHORT_TIME,
                    SHORT_TIME + ANY + "{0,30}?" + MEASURE,
                    "\\b\\d+\\.\\d+ ?" + SMALL_UNIT,
                    SHORT_TIME + " (?:of|after|from) (?:its|the|a) commit",
                    "\\b(?:reach|arriv)" + ANY + "{0,30}?" + SHORT_TIME,
                    "\\b(?:takes?|needs?) (?:[\\w-]+ ){0,3}" + SHORT_TIME,
                    "\\bsub-?(?:milli|micro)second",
                    // Shares
                    "(?:" + ONE + "(?: ?×| ?x\\b| times|[ -]?fold\\b)|\\b(?:twice|thrice|half|double|triple))"
                            + " (?:(?:as|the|that|of|its) ){0,2}(?:\\w+ )?" + COMPARED,
                    "\\bfactor of " + ONE,
                    "\\borders? of magnitude",
                    "(?:" + NUMBER + " ?(?:%|percent\\b)|" + FRACTION + ")" + ANY + "{0,30}?" + COMPARED,
                    "\\b0?\\.\\d+ of (?:the|those|that|its)\\b",
                    "(?:ratio-to-|-ratio\\b|-flatness\\b|latency-p)[\\w.-]*(?:[:=| ]|\\bis\\b|\\bof\\b|at least|at most)*"
                            + NUMBER,
                    // Costs
                    NUMBER + " ?(?:(?:seconds?|s|" + SMALL_UNIT
                            + ") (?:of )?(?:\\w+ )?)?(?:CPU|processor)\\b(?! cores?)",
                    "CPU (?:s|seconds?|time)" + ANY + "{0,20}?" + NUMBER),
            Pattern.CASE_INSENSITIVE);

    private SpeedFigures() {}

    static List<String> in(String text) {
        return FIGURE.matcher(plain(text)).results().map(MatchResult::group).toList();
    }

    /** The text in one line and without marks of emphasis and code. */
    static String plain(String text) {
        return text.replaceAll("[*`]", "").replaceAll("[\\s\\u00a0\\u202f]+", " ");
    }
}
