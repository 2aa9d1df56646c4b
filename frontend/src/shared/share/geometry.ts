/** GPUs of one team in one pool. */
export interface Share {
  allocated: number
  borrowed: number
  deserved: number
  entitlement: number
  /** GPUs of jobs that wait. */
  wanted: number
}

/** Positions along the bar, in percent of its length. */
export interface ShareGeometry {
  own: number
  borrowed: { start: number; width: number } | null
  wanted: { start: number; width: number } | null
  deserved: number
  entitlement: number
}

/** The length that a set of bars shares, so that they can be compared: the largest mark, with a little air, in a round number. */
export function commonScale(shares: readonly Share[]): number {
  const largest = Math.max(
    1,
    ...shares.map((s) => Math.max(s.deserved, s.entitlement, s.allocated + Math.min(s.wanted, s.deserved))),
  )
  const padded = largest * 1.08
  const step = 10 ** Math.floor(Math.log10(padded))
  return Math.max(4, Math.ceil((padded / step) * 4) * (step / 4))
}

export function shareGeometry(share: Share, scale: number): ShareGeometry {
  const at = (gpus: number) => Math.min(100, Math.max(0, (gpus / scale) * 100))
  const borrowedGpus = Math.min(share.borrowed, share.allocated)
  const own = at(share.allocated - borrowedGpus)
  const used = at(share.allocated)
  // A hair of air between what is in use and what is wanted, and the queue never runs off the bar.
  const wantedStart = Math.min(100, used + (used > 0 ? 0.6 : 0))
  return {
    own,
    borrowed: borrowedGpus > 0 ? { start: own, width: used - own } : null,
    wanted:
      share.wanted > 0
        ? { start: wantedStart, width: Math.min(100 - wantedStart, (share.wanted / scale) * 100) }
        : null,
    deserved: at(share.deserved),
    entitlement: at(share.entitlement),
  }
}
