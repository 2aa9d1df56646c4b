import { describe, expect, it } from 'vitest'
import * as search from './search'

describe('addresses', () => {
  it('are plain words that read back the same', () => {
    const filter = { team: 'research/vision', state: ['waiting', 'RUNNING'], q: 'a b&c' }
    const text = search.write(filter)
    expect(text).toBe('?team=research%2Fvision&state=waiting%2CRUNNING&q=a+b%26c')
    expect(search.jobs(search.parse(text))).toEqual(filter)
  })

  it('drop what is unknown or empty', () => {
    expect(search.jobs({ team: '', state: '', order: 'sideways' })).toEqual({})
    expect(search.cluster({ by: 'moon' })).toEqual({})
    expect(search.write({ team: undefined })).toBe('')
  })

  it.each(['https://elsewhere.example', '//elsewhere.example', '/\\elsewhere.example', 'jobs'])(
    'never lead from sign-in to %s',
    (back) => {
      expect(search.signIn({ back })).toEqual({})
    },
  )

  it('lead from sign-in back to where one was', () => {
    expect(search.signIn({ back: '/jobs?q=x' })).toEqual({ back: '/jobs?q=x' })
  })
})
