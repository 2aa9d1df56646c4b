import type { en } from '../en'
import type { Message } from '../message'
import { common } from './common'

export const ar: Record<keyof typeof en, Message> = { ...common }
