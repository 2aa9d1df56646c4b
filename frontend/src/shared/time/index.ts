export { Duration, Instant, Since, sayInstant } from './Time'
export { parseDuration, sayDuration, secondsOf, writeDuration } from './duration'
export { clusterNow, setClusterClock, useNow } from './now'
export { latestStart } from './latestStart'
