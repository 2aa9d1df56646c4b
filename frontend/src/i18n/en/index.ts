import type { Catalogue } from '../message'
import { common } from './common'
import { reasons } from './reasons'
import { submit } from './submit'

export const en = { ...common, ...reasons, ...submit } satisfies Catalogue
