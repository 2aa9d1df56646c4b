/** A message is a sentence with {names} in it, or one sentence per plural form of {n}. `<b>`, `<m>` and `<d>` mark parts of it. */
export type PluralForms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>
export type Message = string | PluralForms
export type Catalogue = Record<string, Message>

/** Part of a formatted message: plain, bold, monospaced or dim. */
export interface Part<V> {
  mark: 'plain' | 'b' | 'm' | 'd'
  value: string | V
}

const rules = new Map<string, Intl.PluralRules>()

function pluralRules(language: string): Intl.PluralRules {
  let found = rules.get(language)
  if (!found) rules.set(language, (found = new Intl.PluralRules(language)))
  return found
}

/** The text of a message before its names are filled in. `n` chooses the plural form. */
export function choose(language: string, message: Message, n: unknown): string {
  if (typeof message === 'string') return message
  if (typeof n !== 'number') return message.other
  return (n === 0 ? message.zero : undefined) ?? message[pluralRules(language).select(n)] ?? message.other
}

/** Splits a message into its marked parts and fills the names in; an unknown name stays visible as `{name}`. */
export function parts<V>(text: string, values: Readonly<Record<string, string | V>>): Part<V>[] {
  const out: Part<V>[] = []
  let mark: Part<V>['mark'] = 'plain'
  for (const token of text.split(/(<\/?[bmd]>|\{\w+\})/)) {
    if (token === '') continue
    const tag = /^<(\/?)([bmd])>$/.exec(token)
    if (tag) {
      mark = tag[1] ? 'plain' : (tag[2] as 'b' | 'm' | 'd')
      continue
    }
    const name = /^\{(\w+)\}$/.exec(token)?.[1]
    const filled = name === undefined ? token : values[name]
    out.push({ mark, value: filled ?? token })
  }
  return out
}
