package io.muster.model;

/** What a person may do in a team and the teams below it, least first. */
public enum Role {
    VIEWER,
    MEMBER,
    TEAM_ADMIN;

    public boolean atLeast(Role needed) {
        return compareTo(needed) >= 0;
    }
}
