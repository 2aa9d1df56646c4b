import type { Catalogue } from '../message'

export const submit = {
  'doc.server': 'Refused by the server',
  'doc.notMap': 'A job is a list of fields, such as “name: my-job”.',
  'doc.unknown': 'There is no such field.',
  'doc.reserved': 'Not supported yet.',
  'doc.bad.text': 'This should be text.',
  'doc.bad.whole': 'This should be a whole number, not below 0.',
  'doc.bad.yesno': 'This should be true or false.',
  'doc.bad.duration': 'This should be a duration, such as 90s, 15m, 12h or 2d.',
  'doc.bad.quantity': 'This should be a quantity, such as 512Gi or 80GB.',
  'doc.bad.amount': 'This should be a number of CPUs.',
  'doc.bad.choice': 'This is none of the possible words.',
  'doc.bad.command': 'This should be text, or a list of texts.',
  'doc.bad.texts': 'This should be a list of texts.',
  'doc.bad.map': 'This should be names with text values; put numbers in quotes.',
  'doc.bad.object': 'This should be a group of fields.',
  'doc.bad.list': 'This should be a list.',
  'doc.bad.any': 'This is not possible.',
} satisfies Catalogue
