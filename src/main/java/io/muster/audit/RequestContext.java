package io.muster.audit;

/** Keys of the logging context that a row of the trail takes its source and request id from. */
public final class RequestContext {
    public static final String SOURCE = "source";
    public static final String REQUEST = "request";

    private RequestContext() {}
}
