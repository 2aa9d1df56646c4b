import type { ShareView } from '~/api/types'
import type { Share } from './geometry'

export function shareOf(row: ShareView): Share {
  return {
    allocated: row.allocated,
    borrowed: row.borrowed,
    deserved: row.deserved,
    entitlement: row.entitlement,
    wanted: Math.max(0, row.demand - row.allocated),
  }
}
