import type { Shape } from '~/api/types'

/** `research/vision` as people read it: `research / vision`. */
export function sayPath(path: string): string {
  return path.split('/').join(' / ')
}

/** A topology domain by its path; a name that begins with the one above it says enough by itself. */
export function sayDomain(path: string): string {
  const names = path.split('/')
  return names.filter((name, i) => !names[i + 1]?.startsWith(name)).join(' / ')
}

/** The size of a gang: `4 × 8`, and a sum when its groups differ. */
export function sayShape(shape: readonly Shape[]): string {
  return shape
    .map((g) => (g.replicas === 1 ? String(g.gpusEach) : `${g.replicas} × ${g.gpusEach}`))
    .join(' + ')
}
