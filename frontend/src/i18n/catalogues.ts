import { ar } from './ar'
import { en } from './en'
import type { Catalogue } from './message'

/** English is the catalogue's shape; every other language has exactly its keys. */
export type Key = keyof typeof en
export type Language = 'en' | 'ar'

export const catalogues: Record<Language, Record<Key, Catalogue[string]>> = { en, ar }

export const directions: Record<Language, 'ltr' | 'rtl'> = { en: 'ltr', ar: 'rtl' }

/** Arabic text with Latin digits, as technical Arabic is written, so that ids and amounts read the same everywhere. */
export const locales: Record<Language, string> = { en: 'en-GB', ar: 'ar-u-nu-latn' }
