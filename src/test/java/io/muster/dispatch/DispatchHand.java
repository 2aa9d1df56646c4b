package io.muster.dispatch;

/** Carries out commands when a test says so. */
public class DispatchHand {
    private final CommandOutbox outbox;
    private final CommandLoads loads;

    DispatchHand(CommandOutbox outbox, CommandLoads loads) {
        this.outbox = outbox;
        this.loads = loads;
    }

    /** Carries out all that is due, in rounds: one command of each job at a time. */
    public int runAll() {
        int count = 0;
        for (var commands = outbox.claim(100); !commands.isEmpty(); commands = outbox.claim(100)) {
            loads.run(commands);
            count += commands.size();
        }
        return count;
    }

    /** Claims and then forgets, as a server that dies in between. */
    public int claimAndDie() {
        return outbox.claim(100).size();
    }
}
