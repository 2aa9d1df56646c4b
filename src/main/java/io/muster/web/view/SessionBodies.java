package io.muster.web.view;

/** Bodies of what has to do with signing in. */
public final class SessionBodies {
    private SessionBodies() {}

    public record SignIn(String username, String password) {
        @Override
        public String toString() {
            return "SignIn[" + username + "]"; // a record would tell its password
        }
    }

    public record ChangePassword(String current, String next) {
        @Override
        public String toString() {
            return "ChangePassword[]";
        }
    }

    public record NewPassword(String password) {
        @Override
        public String toString() {
            return "NewPassword[]";
        }
    }
}
