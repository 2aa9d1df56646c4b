import { expect, it } from 'vitest'
import { assignColours } from './colours'

const team = (path: string, ordinal: number) => ({ path, ordinal })

it('leaves every team its colour when a team is added or archived', () => {
  const before = [team('research', 0), team('research/vision', 1), team('speech', 2)]
  const after = [team('research/a-new-one', 3), team('research', 0), team('research/vision', 1)]
  const [was, is] = [assignColours(before), assignColours(after)]
  for (const path of ['research', 'research/vision']) expect(is.get(path)).toBe(was.get(path))
  expect(new Set(is.values()).size).toBe(3)
})

it('begins again when there are more teams than colours', () => {
  expect(assignColours([team('a', 0), team('k', 10)])).toEqual(
    new Map([
      ['a', 0],
      ['k', 0],
    ]),
  )
})
