import type { en } from '../en'
import type { Message } from '../message'
import { admin } from './admin'
import { common } from './common'
import { events } from './events'
import { job } from './job'
import { jobs } from './jobs'
import { reasons } from './reasons'
import { submit } from './submit'

export const ar: Record<keyof typeof en, Message> = {
  ...common,
  ...admin,
  ...events,
  ...job,
  ...jobs,
  ...reasons,
  ...submit,
}
