import { describe, expect, it } from 'vitest'
import { catalogues, type Key } from './catalogues'
import { choose, parts, type Message } from './message'
import { translator } from './provider'

const forms = (message: Message) => (typeof message === 'string' ? [message] : Object.values(message))
const names = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].filter((n) => n !== '{n}').sort()

describe('catalogues', () => {
  const keys = Object.keys(catalogues.en) as Key[]

  it('have the same names in Arabic as in English', () => {
    for (const key of keys) {
      const english = names(forms(catalogues.en[key]).join(' '))
      for (const text of forms(catalogues.ar[key])) expect(names(text), key).toEqual(english)
    }
  })

  it('opens and closes every mark', () => {
    for (const key of keys) {
      for (const text of [...forms(catalogues.en[key]), ...forms(catalogues.ar[key])]) {
        const open = text.match(/<[bmd]>/g)?.length ?? 0
        const closed = text.match(/<\/[bmd]>/g)?.length ?? 0
        expect(open, `${key}: ${text}`).toBe(closed)
      }
    }
  })

  it('is Arabic where it says so', () => {
    const same = keys.filter((key) => forms(catalogues.en[key]).join() === forms(catalogues.ar[key]).join())
    // Only what has no words of its own.
    expect(
      same.filter((key) =>
        /[a-z]{3,}/.test(
          forms(catalogues.en[key])
            .join()
            .replaceAll(/\{\w+\}/g, ''),
        ),
      ),
    ).toEqual([])
  })
})

describe('messages', () => {
  it('choose the plural form of the language', () => {
    expect(translator('en')('gpus', { n: 1 })).toBe('1 GPU')
    expect(translator('en')('gpus', { n: 1208 })).toBe('1,208 GPUs')
    expect(translator('ar')('gpus', { n: 2 })).toBe('معالجان')
    expect(translator('ar')('gpus', { n: 5 })).toBe('5 معالجات')
  })

  it('keep a mark over the names inside it', () => {
    expect(parts('a <b>{x} y</b> z', { x: '1' })).toEqual([
      { mark: 'plain', value: 'a ' },
      { mark: 'b', value: '1' },
      { mark: 'b', value: ' y' },
      { mark: 'plain', value: ' z' },
    ])
  })

  it('never read a value as a mark or a name', () => {
    const text = parts('{x}', { x: '<b>{y}</b>', y: 'no' })
    expect(text).toEqual([{ mark: 'plain', value: '<b>{y}</b>' }])
  })

  it('leave an unknown name visible', () => {
    expect(parts('{x}', {})[0]?.value).toBe('{x}')
  })

  it('make do with the one form that is needed', () => {
    expect(choose('ar', { other: 'x' }, 2)).toBe('x')
  })
})
