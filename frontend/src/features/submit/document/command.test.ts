import { describe, expect, it } from 'vitest'
import { joinWords, readPairs, splitWords, writePairs } from './command'

describe('commands', () => {
  it.each([
    [['torchrun', 'train.py']],
    [['python', '-c', 'print("a b")']],
    [['sh', '-c', "echo 'it''s' $HOME"]],
    [['a', '', 'b']],
    [["don't"]],
    [['back\\slash', 'tab\there']],
  ])('%j reads back the same', (words) => {
    expect(splitWords(joinWords(words))).toEqual(words)
  })

  it('looks as people type it', () => {
    expect(joinWords(['torchrun', '--nproc-per-node=8', 'train.py'])).toBe(
      'torchrun --nproc-per-node=8 train.py',
    )
  })

  it('splits quotes as a shell does', () => {
    expect(splitWords(`a "b c" 'd "e"' f\\ g`)).toEqual(['a', 'b c', 'd "e"', 'f g'])
  })
})

describe('environment lines', () => {
  it('read back the same, values with = included', () => {
    const env = { LR: '3e-4', ARGS: '--a=b --c=d', EMPTY: '' }
    expect(readPairs(writePairs(env))).toEqual(env)
  })
})
