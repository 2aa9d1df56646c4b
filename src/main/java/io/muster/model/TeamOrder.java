package io.muster.model;

/** Which of a team's jobs of one priority goes first. */
public enum TeamOrder {
    /** The user who had least, then the job that was submitted first; nobody yields to an equal. */
    FIFO,
    /** The job that had the smallest share of its life so far; takes turns through checkpoints. */
    FAIR_FINISH,
    /** The job whose next end costs least, as far as is known; what had little passes what had much, through checkpoints. */
    ATTAINED_SERVICE
}
