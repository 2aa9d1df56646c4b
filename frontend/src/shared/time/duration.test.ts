import { describe, expect, it } from 'vitest'
import { translator } from '~/i18n/provider'
import { parseDuration, sayDuration, secondsOf, writeDuration } from './duration'

const en = translator('en')

describe('durations', () => {
  it.each([
    [0, '0 s'],
    [45, '45 s'],
    [72, '1 min 12 s'],
    [240, '4 min'],
    [851, '14 min'],
    [3600, '1 h'],
    [4800, '1 h 20 min'],
    [273_600, '3 d 4 h'],
  ])('says %i s as people do', (seconds, said) => {
    expect(sayDuration(seconds, en)).toBe(said)
  })

  it('says them in Arabic with the same digits', () => {
    expect(sayDuration(851, translator('ar'))).toBe('14 د')
  })

  it.each([
    ['90s', 90],
    ['15m', 900],
    ['1h30m', 5400],
    ['2d', 172_800],
  ])('reads %s of a job document', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds)
  })

  it.each(['', '12', 'h', '1.5h', '-3m', '3 hours'])('refuses %j', (text) => {
    expect(parseDuration(text)).toBeNull()
  })

  it('reads ISO durations', () => {
    expect(secondsOf('PT1H30M')).toBe(5400)
    expect(secondsOf('P2DT0.5S')).toBe(172_800.5)
    expect(secondsOf('PT')).toBeNull()
  })

  it('writes the largest exact unit, and reads it back', () => {
    for (const s of [1, 59, 60, 90, 3600, 5400, 86_400, 172_800])
      expect(parseDuration(writeDuration(s))).toBe(s)
    expect(writeDuration(7200)).toBe('2h')
    expect(writeDuration(0)).toBe('0s')
  })
})
