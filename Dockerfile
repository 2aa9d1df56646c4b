# syntax=docker/dockerfile:1
# The server as an image: built from source, in layers that change from seldom to often, run by nobody in particular.

FROM node:24-bookworm-slim AS node

FROM eclipse-temurin:25-jdk-noble AS build
COPY --from=node /usr/local/bin/node /usr/local/bin/node
COPY --from=node /usr/local/lib/node_modules /usr/local/lib/node_modules
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
 && apt-get update && apt-get install -y --no-install-recommends unzip && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY . .
RUN --mount=type=cache,target=/root/.m2 --mount=type=cache,target=/root/.npm \
    ./mvnw -B -q -DskipTests -Dspotless.check.skip -Dskip.frontend.check package \
 && java -Djarmode=tools -jar target/muster-*.jar extract --layers --destination /layers \
 && mv /layers/application/muster-*.jar /layers/application/muster.jar

FROM eclipse-temurin:25-jre-noble AS server
RUN groupadd --system --gid 10001 muster \
 && useradd --system --uid 10001 --gid muster --home-dir /app --shell /usr/sbin/nologin muster \
 && install -d -o muster -g muster -m 0700 /var/lib/muster /var/lib/training
WORKDIR /app
COPY --from=build /layers/dependencies/ ./
COPY --from=build /layers/spring-boot-loader/ ./
COPY --from=build /layers/snapshot-dependencies/ ./
COPY --from=build /layers/application/ ./
ENV MUSTER_ADDRESS=0.0.0.0 \
    MUSTER_PORT=8080 \
    MUSTER_DATA=/var/lib/muster \
    LOGGING_STRUCTURED_FORMAT_CONSOLE=ecs \
    JAVA_TOOL_OPTIONS="-XX:MaxRAMPercentage=70 -XX:+ExitOnOutOfMemoryError"
# By number, so that Kubernetes can tell that it is not root.
USER 10001:10001

# One start, up to where requests would be served, on a database that is thrown away: the JVM writes down the classes that
# a start needs, loaded and linked, and the next start takes less than half the time. A JVM that cannot use the file starts
# without it.
FROM server AS training
RUN java -XX:AOTCacheOutput=/var/lib/training/muster.aot -Dspring.context.exit=onRefresh \
    -jar muster.jar --muster.data=/var/lib/training/data

FROM server
COPY --from=training /var/lib/training/muster.aot ./
# Without MUSTER_DATABASE_URL the server keeps a database of its own here. With one, it writes nowhere but /tmp.
VOLUME /var/lib/muster
EXPOSE 8080
# The image has no curl; bash can speak enough HTTP.
HEALTHCHECK --interval=5s --timeout=3s --start-period=60s --retries=5 CMD ["bash", "-c", \
    "exec 3<>/dev/tcp/127.0.0.1/$MUSTER_PORT && printf 'GET /actuator/health/readiness HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200'"]
ENTRYPOINT ["java", "-XX:AOTCache=muster.aot", "-jar", "muster.jar"]
