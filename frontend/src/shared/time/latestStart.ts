interface Expected {
  expectedStart?: string | null
  latestStart?: string | null
}

/** By when a job will have started in 9 of 10 cases. A rough estimate may know one time only: then it is no 9 in 10. */
export function latestStart(of: Expected): string | null {
  return of.latestStart && of.latestStart !== of.expectedStart ? of.latestStart : null
}
