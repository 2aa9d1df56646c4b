import { createContext, use, useCallback, useMemo, useState, type ReactNode } from 'react'
import { DirectionProvider } from '@mantine/core'
import { catalogues, directions, locales, type Key, type Language } from './catalogues'
import { choose, parts } from './message'

export type Values = Readonly<Record<string, string | number>>
export type Translate = (key: Key, values?: Values) => string

export interface I18n {
  language: Language
  locale: string
  direction: 'ltr' | 'rtl'
  t: Translate
  number: (n: number) => string
  setLanguage: (language: Language) => void
}

const Context = createContext<I18n | null>(null)

/** Numbers are grouped as the language does; the plural form is chosen by `n`. */
export function translator(language: Language): Translate {
  const format = new Intl.NumberFormat(locales[language])
  return (key, values = {}) => {
    const text = choose(language, catalogues[language][key], values.n)
    const shown = Object.fromEntries(
      Object.entries(values).map(([name, v]) => [name, typeof v === 'number' ? format.format(v) : v]),
    )
    return parts<string>(text, shown)
      .map((p) => p.value)
      .join('')
  }
}

export function I18nProvider({ children }: { children: ReactNode }) {
  const [language, setState] = useState<Language>(() =>
    document.documentElement.lang === 'ar' ? 'ar' : 'en',
  )
  const setLanguage = useCallback((next: Language) => {
    localStorage.setItem('muster-language', next)
    document.documentElement.lang = next
    document.documentElement.dir = directions[next]
    setState(next)
  }, [])
  const value = useMemo<I18n>(() => {
    const format = new Intl.NumberFormat(locales[language], { maximumFractionDigits: 2 })
    return {
      language,
      locale: locales[language],
      direction: directions[language],
      t: translator(language),
      number: (n) => format.format(n),
      setLanguage,
    }
  }, [language, setLanguage])
  return (
    <DirectionProvider key={language} initialDirection={directions[language]} detectDirection={false}>
      <Context value={value}>{children}</Context>
    </DirectionProvider>
  )
}

export function useI18n(): I18n {
  const value = use(Context)
  if (!value) throw new Error('useI18n outside I18nProvider')
  return value
}
