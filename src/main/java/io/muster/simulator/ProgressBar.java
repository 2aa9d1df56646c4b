package io.muster.simulator;

import java.io.PrintStream;
import java.util.Locale;

/** How far a run is: a bar that fills on a terminal, a line for each tenth elsewhere. */
final class ProgressBar {
    private static final int WIDTH = 40;

    private final PrintStream err;
    private final String name;
    private final boolean terminal;
    private int shown = -1;

    ProgressBar(PrintStream err, String name) {
        this(err, name, System.console() != null && System.console().isTerminal());
    }

    ProgressBar(PrintStream err, String name, boolean terminal) {
        this.err = err;
        this.name = name;
        this.terminal = terminal;
    }

    void show(int ended, int of) {
        int percent = of == 0 ? 100 : (int) (100L * ended / of);
        if (percent == shown || (!terminal && percent / 10 == shown / 10 && shown >= 0)) return;
        shown = percent;
        if (terminal) {
            String filled = "#".repeat(WIDTH * percent / 100);
            err.printf(
                    Locale.ROOT, "\r%s [%-" + WIDTH + "s] %3d %%  %,d of %,d jobs", name, filled, percent, ended, of);
        } else {
            err.printf(Locale.ROOT, "%s %3d %%  %,d of %,d jobs%n", name, percent, ended, of);
        }
        err.flush();
    }

    void close() {
        if (terminal) err.println();
    }
}
