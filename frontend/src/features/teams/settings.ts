import type { Defaults, SettingsView } from '~/api/types'

export const TEXTS = ['cpusPerGpu', 'memoryPerGpu', 'sharedMemory', 'walltime', 'maxWalltime'] as const
export const NUMBERS = ['userGpuCap', 'userQueueCap'] as const
/** Which of the team's jobs goes first; the words of the API. */
export const ORDERS = ['fifo', 'fair-finish', 'attained-service'] as const
export type Order = (typeof ORDERS)[number]
export type Setting = (typeof TEXTS)[number] | (typeof NUMBERS)[number]

/** What is like what is written there; an example, not a default. */
export const EXAMPLES: Record<Setting, string> = {
  cpusPerGpu: '8',
  memoryPerGpu: '64Gi',
  sharedMemory: '16Gi',
  walltime: '12h',
  maxWalltime: '7d',
  userGpuCap: '64',
  userQueueCap: '100',
}

/** What is in force on a team although the team says nothing about it: it comes from above. */
export function inherited(settings: SettingsView, name: Setting | 'order'): boolean {
  return settings.own[name] == null && settings.effective[name] != null
}

/** An order that is known here; one that only a newer server knows is shown as it is written. */
export function isOrder(word: string | null | undefined): word is Order {
  return ORDERS.some((order) => order === word)
}

/** What is sent: blank is "says nothing", so that what the teams above say holds. */
export function cleaned(body: Defaults): Defaults {
  const text = (value: string | null | undefined) => (value?.trim() ? value.trim() : null)
  return {
    ...body,
    ...Object.fromEntries(TEXTS.map((name) => [name, text(body[name])])),
    imageAllowlist: body.imageAllowlist.map((each) => each.trim()).filter((each) => each !== ''),
  }
}

/** The settings in which two differ, so that a conflict shows what the other one changed. */
export function differing(mine: Defaults, theirs: Defaults): (Setting | 'order' | 'imageAllowlist')[] {
  const same = (name: Setting | 'order') => (mine[name] ?? null) === (theirs[name] ?? null)
  const images = mine.imageAllowlist.join(' ') === theirs.imageAllowlist.join(' ')
  return [
    ...[...TEXTS, ...NUMBERS, 'order' as const].filter((name) => !same(name)),
    ...(images ? [] : (['imageAllowlist'] as const)),
  ]
}
