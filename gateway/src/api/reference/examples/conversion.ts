/** Examples of codes that were used. */
import type { Example } from '../operation.ts'
import { success } from './sample-values.ts'

export const conversionExamples: readonly Example[] = [
  {
    name: 'notRecorded',
    summary: 'A message that is not a code of the account, or not recorded yet',
    body: { msgKey: ['20261116004512345A17QKX2M8R4ZT0V'] },
    status: 200,
    answer: { ...success, data: { counted: 0 } },
  },
  {
    name: 'noKey',
    summary: 'No message is named',
    body: { msgKey: [] },
    status: 400,
    answer: {
      code: 'A300',
      result: "Invalid or empty 'msgKey': must be a list of 1 to 100 keys, as sends answered them",
      field: 'msgKey',
    },
  },
]
