package io.muster.simulator.trace;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The formats of recorded workloads. */
public enum TraceFormat {
    PHILLY(',', Set.of("timestamp", "duration", "num_gpus", "cluster"), new PhillyReader()),
    MURI(',', Set.of("job_id", "num_gpu", "submit_time", "iterations", "iteration_time"), new MuriReader()),
    OPENB(',', Set.of("name", "num_gpu", "gpu_milli"), new OpenbReader()),
    SACCT('|', Set.of("JobID", "Submit", "AllocTRES"), new SacctReader()),
    CSV(',', Set.of("submitted", "run_seconds", "gpus"), new CsvReader()),
    SHOCKWAVE('\t', Set.of(), new ShockwaveReader());

    private final char separator;
    private final Set<String> header;
    private final LineReader reader;

    TraceFormat(char separator, Set<String> header, LineReader reader) {
        this.separator = separator;
        this.header = header;
        this.reader = reader;
    }

    /** Reads one line of a format. */
    interface LineReader {
        /** Adds the line's job, and notes what of it is not as recorded. */
        void read(Row row, List<RecordedJob> jobs, List<Note> notes) throws BadLineException;
    }

    /** The format's name as people type it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The format whose columns the first line has. */
    public static TraceFormat of(List<String> lines) {
        if (lines.isEmpty()) throw new UnreadableTraceException("the trace is empty");
        for (var format : values()) {
            if (format.isMatchedBy(lines.getFirst())) return format;
        }
        throw new UnreadableTraceException(
                "line 1: no known format begins like this; docs/simulator.md lists the formats and their columns");
    }

    private boolean isMatchedBy(String first) {
        var fields = Row.split(first, separator);
        return header.isEmpty()
                ? fields.size() == ShockwaveReader.COLUMNS
                : fields.stream().map(String::strip).toList().containsAll(header);
    }

    /**
     * Reads all lines.
     *
     * @throws UnreadableTraceException when the first line is not the format's
     */
    public Workload read(List<String> lines) {
        if (lines.isEmpty() || !isMatchedBy(lines.getFirst())) {
            throw new UnreadableTraceException("line 1: a " + word() + " trace has the columns "
                    + (header.isEmpty()
                            ? "of docs/simulator.md"
                            : header.stream().sorted().toList()));
        }
        var columns = columns(lines.getFirst());
        var jobs = new ArrayList<RecordedJob>(lines.size());
        var notes = new ArrayList<Note>();
        for (int i = header.isEmpty() ? 0 : 1; i < lines.size(); i++) {
            if (!lines.get(i).isBlank()) {
                readLine(columns, lines.get(i), i + 1, jobs, notes);
            }
        }
        return new Workload(word(), jobs, notes);
    }

    private void readLine(
            Map<String, Integer> columns, String line, int number, List<RecordedJob> jobs, List<Note> notes) {
        var fields = Row.split(line, separator);
        if (fields.size() != columns.size()) {
            notes.add(new Note(number, Note.Effect.LEFT_OUT, "not " + columns.size() + " columns"));
            return;
        }
        try {
            reader.read(new Row(columns, fields, number), jobs, notes);
        } catch (BadLineException e) {
            notes.add(new Note(number, Note.Effect.LEFT_OUT, String.valueOf(e.getMessage())));
        }
    }

    private Map<String, Integer> columns(String first) {
        var names = header.isEmpty() ? ShockwaveReader.NAMES : Row.split(first, separator);
        var columns = new LinkedHashMap<String, Integer>();
        for (var name : names) {
            if (columns.putIfAbsent(name.strip(), columns.size()) != null) {
                throw new UnreadableTraceException("line 1: two columns are called " + name.strip());
            }
        }
        return columns;
    }
}
