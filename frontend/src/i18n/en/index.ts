import type { Catalogue } from '../message'
import { common } from './common'

export const en = { ...common } satisfies Catalogue
