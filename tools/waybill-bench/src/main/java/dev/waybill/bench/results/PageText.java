package dev.waybill.bench.results;

/**
 * What the page about benchmarks says whatever was measured. Lines with a name in braces stand for sentences that depend on the
 * results ({@link Conclusions}).
 */
final class PageText {
    static final String BEGINNING = """
            # Benchmarks

            All figures in the tables are from one machine, measured by `./waybill bench`. They are only comparable with each other: a
            machine that is twice as fast changes all of them. The page and its charts are written by
            `./waybill bench page FOLDER` from the results in [benchmarks/results.json](benchmarks/results.json), and a test compares
            the page with them; do not edit it.

            ```
            ./waybill bench                             # everything; takes about an hour
            ./waybill bench --quick                     # within five minutes, rough
            ./waybill bench --parts drain,append        # some parts; --results FOLDER adds them to earlier results
            ./waybill bench page target/bench/FOLDER    # this page, from the folder that the bench has printed
            ```

            """;

    static final String HOW = """

            ## What is measured

            - Every system runs in a process of its own, in turns, against the same PostgreSQL (fsync on) and the same Kafka, with
              the same producer properties, except that those of this project have one request in flight, which their order needs, and the
              others five. Keys and values have the same form and size. The journal, the tables and the pipes send one message for each
              event, the raw producer and the peers 2,000 different ones again and again; all but the peers send three headers with it. Servers and
              systems share the processors of one machine: a system that needs less of them leaves more to the servers.
            - **drain**: a backlog is written first, vacuumed and analysed, then the system is started. That of the journal and the pipes is
              written once and read again in each round, since reading changes nothing, and so are those of growth with other keys or relays
              and those from the start; the others are written before each round. The rate is that of the arrivals, from the first
              record to the last by the broker's clock, so that the time a system takes to start does not count, nor what it does before
              its first record, such as reading ahead into memory. Slow systems drain a
              smaller backlog, and one that takes a minute (in growth four) is measured by what has arrived. A system that sends nothing for 20 s
              after its first event and before it is done is not measured. A consumer counts the records, those of the journal, the tables
              and the pipes by the ids of their events: what comes twice is not part of the rate, and a system that has lost one is not
              measured. For peers we count messages only; we did not test them for
              loss. Five drains warm a system up, because the CPU time for an event falls until about the fifth. The slowest peers drain 75,000
              events before the first round that counts, which takes them up to a minute: theirs still falls a little.
            - **bare pipe** reads rows along the primary key and sends them, in one thread; **overlapped pipe** reads in one thread
              and sends in another. Both keep no position and no lease and would lose late transactions: they are there to compare
              with, and are not outboxes. Relay and pipes read pages of 2,000 rows. The overlapped pipe formats on the thread that
              reads, the relay on the thread that sends: the work is divided in another way, and the relay can be the faster one.
            - **table** marks published rows, which is the default; **table, rows deleted** deletes them, as the peers do with the
              settings that they are measured with. The first is what Waybill does without a setting, the second is the one to
              compare with the peers.
            - Ratios of rates are medians of the ratios of each round, because a shared machine changes its speed between rounds;
              `cpu-ratio` is the ratio of two medians. Those to pipes and to Debezium are of the first table alone.
              {behind the overlapped pipe}
            - `append-ratio` and `append-sql-ratio` compare with the smallest insert, `append-starter-ratio` with no event and Spring.
            - **cost**: the CPU time of the system's process and of all processes of PostgreSQL; dead tuples are row versions that
              updates and deletes leave behind. PostgreSQL reports them up to a second late, so short drains show too few.
            - **latency**: four clients append at a fixed rate, whatever the system does, one system after the other, once; a consumer notes
              when each event arrives. The time begins when the client's thread runs again after the commit; an event that has arrived by then counts as 0 ms. Commit
              time is excluded. Runs whose median append starts over 20 ms late are discarded. The clients run in the process of the system, as in an application: there the outbox wakes the relay. "journal, another
              process" is not woken, as if the application were elsewhere, and polls. The maximum of a system is what it appends or
              drains, whichever is less; if its clients reach less than 95 % of the rate, it is not measured. Over a slower link there are 500
              events, so p99.9 is the maximum.
            - **append**: four clients commit transactions with one row of business data and one event, while nothing is sent. Those
              with Spring, also Spring Modulith and namastack, use `JdbcClient` and a pool and are compared with "no event, Spring", the others
              with "no event"; of these, gruelbox has a pool, too.
            - **growth**: backlogs are found by a system that runs and has sent events before; "from the start" are those that it
              drains as the first thing it does. A backlog of 10,000 is drained in less than a tenth of a second, so its rate differs
              more from round to round than that of others. The rate of a system that runs is that after the first events, whose own time is not
              part of it. What a start costs is not part of `backlog-flatness`. Retained
              events are published ones that are still stored; "0" has the 200,000 that the system has sent before. With several
              relays in a process each sends every event. Live heap is what is left after a garbage collection while the
              relays run. More than ten relays have [the settings for many relays in a small heap](operations.md#memory). A process
              whose heap is too small for its relays repeats events: then more arrive than the backlog has times the number of relays.
              Backlogs of 10,000 and 100,000 have nine rounds, those of 1,000,000, those from the start, retained events and the journal's
              10,000,000 three, and everything else one, like the drains over a slower link: single rounds differ by a fifth and more.
            - **a consumer and its inbox**: medians of rounds in turns, as many as of drains, after one to warm up.
            - **distance**: before, each system has drained such a backlog again and again for 20 s, which includes writing it and starting.
              A proxy delays every byte on the link to the database or to the broker, by half of 5 ms in each direction, so that a round trip
              takes 5 ms more. Clients are as far from the database as the system: the commit is noted when its reply arrives. Round trips are counted there: how
              often a reply follows a request. Over a slower link, each peer that awaits its sends has 64 threads instead of 16, because more of
              them wait; the share of its rate over loopback is that of its rate with 16. Processes are less warm than in the first table,
              those over loopback also in the first rounds. The open transaction begins after the backlog is written and before the drain.

            ## Where the time goes

            Times in µs, shares and counts in this section are measured apart from the run above, on 18 and 19 November 2026, with
            PostgreSQL's `EXPLAIN (ANALYZE, BUFFERS, WAL)`, the CPU time of processes and threads, `perf` and Java Flight Recorder.

            - **journal**: its database has more to do than that of the overlapped pipe, because its statement also tests which transactions
              are visible in two snapshots, and the size of each column before it is fetched, so that memory is bounded whatever events
              contain. By thread, in µs of CPU time per event, once the compilers are done: 1.1 the database, 0.9 route, format, send and
              settle, 0.4 read, 0.3 the producer's own, 0.3 garbage collection, 0.6 the broker. Together that is 83 % of both
              processors; what is left is waiting: the reader for the database, then the database for the reader, and every
              10,000 events both until the position is on disk. Three changes that were tried
              made no difference: more batches in flight (12 instead of 5), formatting on the reader's thread, and claiming two batches
              ahead while the reader's thread also settles, which left 10 % instead of 17 % unused.
              {rounds of the journal}
              The CPU time for an event falls by half during the first five drains of 3,000,000 events, as the code is compiled, more than
              that of the pipe. In a profile (`perf`, clock samples of the whole machine) nothing stands out: copies of
              bytes, compression for Kafka, the producer, and reading rows.
            - **Debezium Engine**: the server decodes the backlog, transactions of 50,000 rows like those of the journal, without writing
              them to disk again. Of the samples of the engine's process, three quarters are of the one thread that decodes changes and
              makes records of them, a quarter of those that transform and send them; no method has more than 3 %. That thread uses
              almost a whole processor.
              {rounds of Debezium}
              {multiples of Debezium}
            - **backlog**: `backlog-flatness` is the journal's lowest rate divided by its highest. Rounds are not in
              turns between sizes, so what the machine's speed changes in the meantime is part of it. A backlog of 10,000 is
              five pages of 2,000 and takes about 25 ms. In fifteen rounds that were measured apart, in processes that were less warm, the
              broker's times showed the pages one by one, two to eleven ms apart, for the journal and for the overlapped pipe, which saves no
              position: one page that comes 10 ms late takes more than a quarter from the rate.
              {rounds of backlogs}
            - **retained events**: the drained rows are written just before in both cases.
            - **table**: marking takes most of the time. A mark changes the state, which is the condition of the index for polling,
              so PostgreSQL writes a new version of the row and new entries in the primary key and in the unique index of the id: four
              records in the write-ahead log and eleven pages touched for each row, 6.4 µs of CPU time. With `fillfactor = 50`, which
              new tables have, the new version stays on the page of the old one: 5.6 µs. Without an index that knows the state it
              would be 2.0 µs, but then a relay could not find pending rows among many published ones. Deleting published rows takes
              1.0 µs ([what marking costs](table-outbox.md#the-cost-of-marking)). One connection reads while another marks ([ADR
              52](adr/0052-marks-beside-claims.md)); before, one did both, one after the other, and a fifth of the processors' time was
              unused. Now a twentieth is, once the compilers are done: half of the time is the database's, a fifth that of the relay's
              threads, a tenth the broker's (`perf`, clock samples of the whole machine). The database's part has no hot place: entries in
              indexes, looking up pages, copying rows. The relay's neither: 8 % of its samples check that payloads, which are text in this
              table, are JSON.
            - **append**: one transaction with the business row and an event takes 260,000 instructions in the server, counted with
              Valgrind's callgrind, 158,000 with the smallest insert and 83,000 with the row alone. Of the difference to the smallest insert,
              45,000 are the trigger that checks the limits of an event (as many with a topic and a key, 63,000 with headers): PL/pgSQL prepares
              its expressions again in every transaction, which a loop of inserts within one transaction hides (7.0 µs each into the smallest
              table, 15.2 µs into the journal). The other 56,000 are two more indexes, on the sequence and on the transaction, the sequence
              itself, and more columns.
              Check constraints in place of the trigger took 53 µs, because PostgreSQL parses them again for each statement, and domains
              more than the trigger ([ADR 51](adr/0051-limits-of-an-event-in-one-trigger.md)). The indexes are what a relay finds events by,
              also those of transactions that commit late; the limits keep events out that no relay could send. In transactions of
              PostgreSQL's `pgbench` (four clients, prepared, medians of five rounds), the journal's insert reached 0.87 of those with the
              smallest insert, without the trigger 0.94, and without the index on the transaction too 0.95.
              {goal of append}
              With one client, a transaction takes 110 µs of the server's CPU time with the smallest insert, 128 with
              the journal's, 123 with a trigger that checks nothing, and 121 without a trigger.
            - **a start**: the first tenth of a backlog of 100,000 takes about twice as long as a later one, for the overlapped pipe
              as well. These parts of it are known, measured apart on a busy machine: the partitions of the topic are new (to a
              topic that has records, such a backlog is drained about a quarter faster); connections and producer are new, which
              takes between 0.1 and 0.2 s of CPU time although the code is compiled; and the bench reads CPU times at the first
              arrival, which takes 0.05 s of one processor.
            - **latency**: events that are appended while a system starts wait until it is connected, and do not count.
            - **latency with a distant database**: a relay asks the database for events. From commit to send, the journal takes three or
              four round trips, one after the other: a poll, which takes the snapshot; a check that the sequence was not set back; a
              search for events of transactions that were open at the poll before, if one of them has ended since, which is frequent
              here because a transaction takes three round trips itself; and the page of events. Events with large columns take one
              more, and so do events while others are parked. Before all these, an event waits for the end of the cycle in progress,
              which may have as many round trips, and another that proves the lease when a batch is settled. Debezium's server sends
              changes without being asked; Spring Modulith and gruelbox have the event in the process that commits it, and do not
              search for it.
              {latency with a distant server}

            ## What to keep in mind about the others

            - Autovacuum runs as usual. The tables of this project are emptied after each drain, because autovacuum was seen cleaning
              up marked rows for up to a minute while other systems were measured.
            - Spring Modulith and gruelbox hand an event to a thread of the same process right after its commit. They do not
              poll for it, so at a low rate latency is the time of one send. After a crash, events wait for the next resubmission.
            - Debezium Engine and the journal leave rows as they are; the other outboxes update or delete each row.
            - gruelbox, namastack and Spring Modulith call a handler for each event and settle each event in a transaction of its
              own. The handlers wait for Kafka's acknowledgement, as any handler must to avoid losing events; as many as there are threads do so
              at a time, which bounds their rates over a slower link. Spring Modulith's externalization to Kafka is not used: it completes
              publications one at a time, on the producer's thread. Neither gruelbox nor Spring Modulith keeps the order of events.
            - The backlogs of these three are written through their own API for 2,000 events and multiplied by SQL, Debezium's is written by
              SQL. Their tables are emptied, and their backlogs vacuumed and analysed, before each drain.
            """;

    private PageText() {}
}
