import { describe, expect, test } from 'vitest'
import logs from '~/features/job/logs/Logs.module.css?raw'
import tokens from './tokens.css?raw'

type Rgb = readonly number[]

/** What WCAG 2.1 AA asks of text of a common size. */
const AA = 4.5
const GROUNDS = ['panel', 'bg', 'soft'] as const
const WORDS = ['ink', 'ink2', 'ink3', 'accent', 'run', 'wait', 'save', 'fail', 'good'] as const

function scheme(name: 'light' | 'dark'): (token: string) => Rgb {
  const block = new RegExp(`scheme='${name}'\\] \\{([^}]*--bg:[^}]*)\\}`).exec(tokens)?.[1] ?? ''
  const colours = new Map(
    [...block.matchAll(/--([\w-]+): #(\w+);/g)].map(([, token, hex]) => [token, hex ?? '']),
  )
  return (token) => {
    const hex = colours.get(token)
    if (hex === undefined) throw new Error(`no --${token} in ${name}`)
    const six = hex.length === 3 ? [...hex].map((c) => c + c).join('') : hex
    return [0, 2, 4].map((at) => parseInt(six.slice(at, at + 2), 16) / 255)
  }
}

function luminance(colour: Rgb): number {
  const [r = 0, g = 0, b = 0] = colour.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

function contrast(one: Rgb, other: Rgb): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

describe.each(['light', 'dark'] as const)('%s', (name) => {
  const of = scheme(name)

  test.each(WORDS)('--%s can be read as text', (word) => {
    for (const ground of GROUNDS) expect(contrast(of(word), of(ground)), ground).toBeGreaterThanOrEqual(AA)
  })

  test("the name of every replica can be read in its colour's text", () => {
    const share = Number(/var\(--replica\) (\d+)%, var\(--ink\)/.exec(logs)?.[1]) / 100
    for (let i = 0; i < 10; i++) {
      const text = of(`t${i}`).map((c, at) => c * share + (of('ink')[at] ?? 0) * (1 - share))
      for (const ground of ['panel', 'soft']) {
        expect(contrast(text, of(ground)), `t${i} on ${ground}`).toBeGreaterThanOrEqual(AA)
      }
    }
  })
})
