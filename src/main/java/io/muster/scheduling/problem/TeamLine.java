package io.muster.scheduling.problem;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Jobs of one team: by place, in it by user, of each user the equal ones together. */
public final class TeamLine {
    private final TreeMap<Place, Band> bands = new TreeMap<>(Place.FIRST);

    private record Place(int priority, double rank) {
        static final Comparator<Place> FIRST =
                Comparator.comparingInt(Place::priority).reversed().thenComparingDouble(Place::rank);
    }

    /** Jobs of one place. */
    public static final class Band {
        private final Map<Integer, UserLine> users = new HashMap<>();

        public Collection<UserLine> users() {
            return Collections.unmodifiableCollection(users.values());
        }
    }

    /** Jobs of one user in one place. */
    public static final class UserLine {
        private final int user;
        private final Map<Integer, List<Claimant>> families = new HashMap<>();

        private UserLine(int user) {
            this.user = user;
        }

        public int user() {
            return user;
        }

        /** Lists of equal jobs, the oldest first; those that are like no other share a list. None is empty. */
        public Collection<List<Claimant>> families() {
            return Collections.unmodifiableCollection(families.values());
        }
    }

    /** {@code rank}: the place in the team's order among those of its priority, the lower the sooner. */
    public void add(Claimant claimant, double rank) {
        var family = bands.computeIfAbsent(new Place(claimant.priority(), rank), p -> new Band())
                .users
                .computeIfAbsent(claimant.user(), UserLine::new)
                .families
                .computeIfAbsent(claimant.family(), f -> new ArrayList<>(2));
        if (family.isEmpty() || Claimant.OLDEST.compare(family.getLast(), claimant) < 0) {
            family.add(claimant);
        } else {
            family.add(-Collections.binarySearch(family, claimant, Claimant.OLDEST) - 1, claimant);
        }
    }

    void remove(Claimant claimant, double rank) {
        var place = new Place(claimant.priority(), rank);
        var band = Objects.requireNonNull(bands.get(place));
        var user = Objects.requireNonNull(band.users.get(claimant.user()));
        var family = Objects.requireNonNull(user.families.get(claimant.family()));
        family.remove(Collections.binarySearch(family, claimant, Claimant.OLDEST));
        if (family.isEmpty()) {
            user.families.remove(claimant.family());
        }
        if (user.families.isEmpty()) {
            band.users.remove(claimant.user());
        }
        if (band.users.isEmpty()) {
            bands.remove(place);
        }
    }

    boolean isEmpty() {
        return bands.isEmpty();
    }

    /** Whose turn it is first, first. */
    public Collection<Band> bands() {
        return Collections.unmodifiableCollection(bands.values());
    }

    /** One of its jobs; it has one. */
    public Claimant any() {
        return bands.firstEntry()
                .getValue()
                .users
                .values()
                .iterator()
                .next()
                .families
                .values()
                .iterator()
                .next()
                .getFirst();
    }

    /** Every job, in no order that means anything. */
    public void each(Consumer<Claimant> take) {
        for (var band : bands.values()) {
            for (var user : band.users.values()) {
                user.families.values().forEach(family -> family.forEach(take));
            }
        }
    }
}
