import type { en } from '../en'
import type { Message } from '../message'
import { common } from './common'
import { reasons } from './reasons'
import { submit } from './submit'

export const ar: Record<keyof typeof en, Message> = { ...common, ...reasons, ...submit }
