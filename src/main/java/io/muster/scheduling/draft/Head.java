package io.muster.scheduling.draft;

import io.muster.scheduling.problem.Claimant;
import io.muster.scheduling.problem.Occupant.Spot;
import java.time.Instant;
import java.util.List;

/** A blocked head's reservation: where and when it can start. */
public record Head(Claimant claimant, int pool, Instant startAt, List<Spot> spots) {}
