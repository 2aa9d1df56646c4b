export { Duration, Instant, Since, sayInstant } from './Time'
export { parseDuration, sayDuration, secondsOf, writeDuration } from './duration'
export { useNow } from './now'
