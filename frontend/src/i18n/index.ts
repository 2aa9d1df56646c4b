export { I18nProvider, useI18n, type Translate, type I18n } from './provider'
export { T } from './T'
export type { Key, Language } from './catalogues'
