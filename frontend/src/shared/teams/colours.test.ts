import { expect, it } from 'vitest'
import { assignColours } from './colours'

it('gives the first colours to the teams that hold jobs, each its own', () => {
  const colours = assignColours(['research', 'speech', 'research/vision', 'research/nlp'])
  expect([...colours]).toEqual([
    ['research/nlp', 0],
    ['research/vision', 1],
    ['speech', 2],
    ['research', 3],
  ])
})
